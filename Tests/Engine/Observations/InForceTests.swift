import Contracts
import Observations
import Testing
import Timekeeping

private struct Shop: Deployment {
  var most = 3
  var other = 1

  static let settings: [DeploymentSetting<Self>] = [
    DeploymentSetting("most", \.most, .count(0...9), "most", source: "S-1"),
    DeploymentSetting("other", \.other, .count(0...9), "other", source: "S-2"),
  ]
}

/// Checks judge by the value in force.
@Suite struct `A value in force` {
  private static func at(_ second: Int64) -> Instant {
    Instant.distantPast + .seconds(1_000 + second)
  }

  private static func during(_ from: Int64, _ to: Int64) -> ClosedRange<Instant> {
    at(from)...at(to)
  }

  private static let shop: InForce<Shop> = {
    var shop = InForce<Shop>()
    shop.adjust(Adjustment { $0.most = 5 }, at: at(100))
    shop.adjust(Adjustment { $0.other = 2 }, at: at(200))
    shop.reset(at: at(300))
    return shop
  }()

  @Test func `is the specification's until somebody sets another`() {
    #expect(InForce<Shop>().value(\.most, during: Self.during(-900, 10_000)) == 3)
    #expect(Self.shop.value(\.most, during: Self.during(0, 90)) == 3)
    #expect(Self.shop.value(\.most, during: Self.during(110, 190)) == 5)
    #expect(Self.shop.newest == Shop())
    #expect(Self.shop.value(\.most, during: Self.during(310, 900)) == 3)
  }

  @Test func `is not known while it changes, whatever else changes`() {
    #expect(Self.shop.value(\.most, during: Self.during(90, 110)) == nil)
    #expect(Self.shop.value(\.other, during: Self.during(90, 110)) == 1)
    #expect(Self.shop.values(during: Self.during(90, 110)) == nil)
    #expect(Self.shop.value(\.most, during: Self.during(190, 210)) == 5)
    #expect(Set(Self.shop.all(during: Self.during(190, 210)).map(\.other)) == [1, 2])
  }
}
