import Contracts
import MimiSupplyContract
import Observations
import Testing
import Timekeeping

@testable import MimiSupplyChecks
@testable import MimiSupplyTwin

@Suite struct `Checks of MimiSupply's trade` {
  private static func judge(
    _ limit: MimiSupply.Rule, _ story: (inout MarketStory) -> Void
  ) -> Judge {
    var told = MarketStory(MarketStory.market)
    story(&told)
    told.ripen()
    return told.judged(by: limit)
  }

  @Test(arguments: TradeCases.all)
  func `every check holds on good records and says that the rule was tried`(
    example: MarketCase
  ) {
    let judge = Self.judge(example.limit, example.holds)
    #expect(judge.violations == 0, "\(judge.evidence.map(\.what))")
    #expect(judge.exercised > 0)
  }

  @Test(arguments: TradeCases.all)
  func `every check fails on records that break its rule`(example: MarketCase) {
    #expect(Self.judge(example.limit, example.fails).violations > 0)
  }

  @Test func `every limit from MS-28 to MS-48, MS-50 to MS-63 and MS-77 to MS-81 has examples`() {
    let numbers = [28...48, 50...63, 77...81].flatMap { $0 }
    #expect(Set(TradeCases.all.map(\.limit.id)) == Set(numbers.map { LimitID("MS-\($0)") }))
  }

  // MARK: What may not be taken for a violation

  @Test func `a price that changes while an order is under way decides nothing: MS-32`() {
    for reason in [nil, "price_changed"] {
      let judge = Self.judge(.ms32) { story in
        story.places(refused: reason, lasting: .seconds(4), then: .seconds(1))
        story.owner(
          changes: "dish", "Product", [.priceCents: .int64(1_300)],
          to: MarketStory.product("p", price: 1_300))
      }
      #expect(judge.exercised == 0)
    }
  }

  @Test func `pieces that two orders want at once may go to either: MS-51, MS-52`() {
    let five: FieldChanges = [.items: MarketStory.items([("few", 5)])]
    for limit: MimiSupply.Rule in [.ms51, .ms52, .ms53] {
      let judge = Self.judge(limit) { story in
        story.places(
          five, as: "a", refused: "insufficient_stock", lasting: .seconds(3), then: .seconds(1))
        story.places(five, as: "b", lasting: .seconds(1), then: .seconds(3))
        story.ask(
          .modify(
            Location(database: "private"),
            Modification([
              .init(
                .update,
                RecordDraft(name: "b", changeTag: "1", fields: MarketStory.status(.cancelled)))
            ])), .unknown(.timedOut), lasting: .seconds(10))
        story.places(five, as: "c")
      }
      #expect(judge.violations == 0, "\(limit): \(judge.evidence.map(\.what))")
    }
  }

  @Test func `of a product whose stock may have been written nobody knows what is left: MS-51`() {
    let both: FieldChanges = [.items: MarketStory.items([("few", 1), ("dish", 9)])]
    let new: FieldChanges = [.items: MarketStory.items([("few", 1), ("new", 9)])]
    func judge(_ order: FieldChanges, after write: Modification.Item?) -> Judge {
      Self.judge(.ms51) { story in
        if let write {
          story.ask(
            .modify(Location(database: "public"), Modification([write])), as: "olga",
            .unknown(.timedOut), lasting: .seconds(10), then: .seconds(20))
        }
        story.places(order, refused: "insufficient_stock")
      }
    }
    let created = Modification.Item(
      .create,
      RecordDraft(
        name: "new", type: "Product",
        fields: FieldChanges(MarketStory.product("p", stock: 1))))
    let updated = Modification.Item(
      .update, RecordDraft(name: "dish", changeTag: "7", fields: [.stockQuantity: .int64(1)]))
    #expect(judge(new, after: created).violations == 0)
    #expect(judge(both, after: updated).violations == 0)
    #expect(judge(both, after: nil).violations == 1)
  }

  @Test func `a cancellation that met a step of the partner is no violation: MS-57, MS-60`() {
    for limit: MimiSupply.Rule in [.ms57, .ms60] {
      let judge = Self.judge(limit) { story in
        story.places()
        story.steps(
          MarketStory.status(.cancelled), refused: "transition_not_permitted_for_role",
          lasting: .seconds(4))
        story.now = story.now - .seconds(4)
        story.steps(MarketStory.status(.accepted), as: "olga")
        story.steps(MarketStory.status(.preparing), as: "olga", tag: 2)
      }
      #expect(judge.violations == 0, "\(limit): \(judge.evidence.map(\.what))")
    }
  }

  // MARK: Switches of the twin

  @Test func `a replay is taken when its rule is off, and only then: MS-48`() throws {
    for isOff in [false, true] {
      var city = City(rules: Rules<MimiSupply.Rule>(off: isOff ? [.ms48] : []))
      let order = city.order("order-1")
      _ = try city.save(order, as: "customer-1")
      let again = try city.modify([order], as: "customer-1")
      #expect((again[0].failure?.failure.code == .exists) == !isOff)
    }
  }

  @Test func `what a tip adds is received unless its rule is off: MS-38`() throws {
    for isOff in [false, true] {
      var city = City(rules: Rules<MimiSupply.Rule>(off: isOff ? [.ms38] : []))
      let order = try city.save(city.order("order-1"), as: "customer-1")
      _ = try city.save(
        city.updating(order, [.tipCents: .int64(100), .totalCents: .int64(1_599)]),
        as: "customer-1")
      let paid = city.twin.market.orders["order-1"]?.paidCents
      #expect(paid == (isOff ? 1_499 : 1_599))
    }
  }
}
