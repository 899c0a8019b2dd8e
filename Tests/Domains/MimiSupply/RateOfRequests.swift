import Contracts
import MimiSupplyContract
import Testing
import Timekeeping

@testable import MimiSupplyTwin

@Suite struct `MimiSupply's rate limit` {
  /// The rule of MS-01 by the letter, over everything that was ever admitted.
  private struct Log {
    var admitted: [String: [Instant]] = [:]

    mutating func admits(_ user: String, at now: Instant) -> Bool {
      let recent = (admitted[user] ?? []).filter { $0 > now - .seconds(1) && $0 <= now }
      guard recent.count < 40 else { return false }
      admitted[user, default: []].append(now)
      return true
    }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func
    `the sliding window agrees with a log of everything, to the nanosecond (MS-01, MS-02, MS-03)`(
      seed: UInt64
    ) throws
  {
    var city = City()
    var log = Log()
    var stream = RandomStream(seed: seed, owner: 7, purpose: 0)
    let query = MimiSupply.Request.query(
      Location(database: "public"), Query(RecordQuery("Partner"), resultsLimit: 1))
    var refusals = 0
    for _ in 0..<1_500 {
      city.now += .nanoseconds(Int64(stream.pick(0..<20_000_000)))
      let name = ["customer-1", "customer-2"][stream.pick(0..<4) == 0 ? 1 : 0]
      // All devices of a user share one budget.
      let device: DeviceName = "device-\(stream.pick(0..<3))"
      let outcome = city.ask(query, as: name, device: device)
      let expected = log.admits(name, at: city.now)
      #expect((outcome?.reply != nil) == expected, "seed \(seed) at \(city.now)")
      guard let failure = outcome?.refusal?.failure else { continue }
      refusals += 1
      #expect(failure.code == .throttled && failure.native == .requestRateLimited)
      let wait = try #require(failure.retryAfter)
      #expect(wait > .zero && wait <= .seconds(1))
      var (later, sooner) = (log, log)
      let next = city.now + wait
      let succeeds = later.admits(name, at: next)
      let tooSoon = sooner.admits(name, at: next - .nanoseconds(1))
      #expect(succeeds && !tooSoon, "the next admission succeeds then, and not before")
    }
    #expect(refusals > 100, "the limit was met")
  }

  @Test func `the 41st request of a second is refused and the next instant admits it`() throws {
    var city = City()
    let query = MimiSupply.Request.query(
      Location(database: "public"), Query(RecordQuery("Partner"), resultsLimit: 1))
    for _ in 0..<40 { #expect(city.ask(query, as: "customer-1")?.reply != nil) }
    #expect(try city.refusal(query, as: "customer-1").retryAfter == .seconds(1))
    #expect(city.ask(query, as: "customer-2")?.reply != nil)
    city.now += .milliseconds(999)
    #expect(try city.refusal(query, as: "customer-1").retryAfter == .milliseconds(1))
    city.now += .milliseconds(1)
    #expect(city.ask(query, as: "customer-1")?.reply != nil)
  }

  @Test func `anonymous callers are counted by application and device, or by address`() {
    var city = City()
    let query = MimiSupply.Request.query(
      Location(database: "public"), Query(RecordQuery("Partner"), resultsLimit: 1))
    func ask(_ device: DeviceName?, _ peer: String?) -> Bool {
      let credential = MimiSupply.Credential(apiToken: "a", deviceID: device, peer: peer)
      return city.line.ask(query, with: credential, at: city.now)?.reply != nil
    }
    for _ in 0..<40 { #expect(ask("one", nil)) }
    #expect(!ask("one", "192.0.2.1"))
    #expect(ask("two", nil))
  }
}
