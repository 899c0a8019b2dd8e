import Contracts
import MimiSupplyContract
import Testing
import Timekeeping

@testable import MimiSupplyTwin

/// Random histories of a small town, judged by its commit log alone (section 11).
@Suite struct `Histories of MimiSupply's market` {
  private static func town(_ seed: Int, _ change: (inout MarketSettings) -> Void) -> RandomTown {
    var town = RandomTown(seed: seed, change)
    town.live(steps: 300)
    return town
  }

  @Test(arguments: MimiSupply.Deployment.DispatchMode.allCases, 0..<30)
  func `MS-76: every offer, match, assignment and claim is the reference matcher's`(
    mode: MimiSupply.Deployment.DispatchMode, seed: Int
  ) {
    let town = Self.town(seed) {
      $0.dispatchMode = mode
      $0.batchAsOffers = seed % 3 > 0
      $0.dispatchTrigger = MimiSupply.Deployment.DispatchTrigger.allCases[seed % 5 % 3]
    }
    var reference = ReferenceMatcher(town.twin.market.settings)
    reference.judge(town)
    #expect(reference.objections.isEmpty, "mode \(mode), seed \(seed)")
  }

  @Test(arguments: 0..<40) func `MS-28, MS-50 to MS-65: the commit log keeps the rules`(seed: Int) {
    let mode = MimiSupply.Deployment.DispatchMode.allCases[seed % 4]
    let town = Self.town(seed + 1_000) { $0.dispatchMode = mode }
    var ledger = CommitLedger(town.twin.market.settings)
    for entry in town.log { ledger.see(entry) }
    #expect(ledger.objections.isEmpty, "mode \(mode), seed \(seed + 1_000)")
    #expect(!town.refusals.isEmpty, "the town tries what is forbidden")
  }

  @Test(arguments: [.ms66, .ms68, .ms76] as [MimiSupply.Rule])
  func `the reference matcher objects where a rule of dispatch is switched off`(
    rule: MimiSupply.Rule
  ) {
    let objects = (0..<30).contains { seed in
      var town = RandomTown(seed: seed, off: [rule]) { $0.dispatchMode = .offer }
      town.live(steps: 300)
      var reference = ReferenceMatcher(town.twin.market.settings)
      reference.judge(town)
      return !reference.objections.isEmpty
    }
    #expect(objects, "\(rule)")
  }

  @Test(
    arguments: [
      .ms28, .ms37, .ms51, .ms52, .ms53, .ms56, .ms58, .ms61, .ms64, .ms65, .ms72, .ms73,
      .ms79,
    ] as [MimiSupply.Rule])
  func `the ledger objects where a rule of orders is switched off`(rule: MimiSupply.Rule) {
    let objects = (0..<40).contains { seed in
      var town = RandomTown(seed: seed, off: [rule]) {
        $0.dispatchMode = seed % 2 == 0 ? .pool : .auto
      }
      town.live(steps: 300)
      var ledger = CommitLedger(town.twin.market.settings)
      for entry in town.log { ledger.see(entry) }
      return !ledger.objections.isEmpty
    }
    #expect(objects, "\(rule)")
  }

  @Test func `histories try what they are to prove`() {
    var (decisions, delivered, reasons) = (0, 0, Set<String>())
    for seed in 0..<12 {
      let town = Self.town(seed) { $0.dispatchMode = .offer }
      var reference = ReferenceMatcher(town.twin.market.settings)
      reference.judge(town)
      decisions += reference.decisions
      delivered += town.log.count {
        $0.type == "Order" && $0.after?.status == .delivered && $0.before?.status == .enRoute
      }
      reasons.formUnion(town.log.compactMap(\.reason))
    }
    #expect(decisions > 100)
    #expect(delivered > 10)
    #expect(
      reasons.isSuperset(of: ["partner_timeout", "unpaid_timeout", "dispatch_give_up"]))
  }

  @Test func `what is due comes before a request of the same instant (6.6)`() throws {
    var city = City()
    city.operate(.configure(["dispatchMode": "auto"]))
    let order = try city.save(city.order("o-1"), as: "customer-1")
    _ = try city.save(city.updating(order, [.status: .string("accepted")]), as: "partner-1")
    // No time has passed, and nobody let it.
    let seen = try #require(try city.lookup("o-1", as: "customer-1"))
    #expect(seen[Order.driver] != nil)
    #expect(seen.fields[.updatedAt] == .timestamp(city.now))
  }

  @Test func `MS-62: the cause of a system transition is noted in both logs`() throws {
    var city = City()
    city.operate(.commitLog(kept: true))
    _ = try city.save(city.order("o-1"), as: "customer-1")
    city.pass(.minutes(2))
    let last = try #require(city.twin.commitLog?.entries.last)
    #expect(last.name == "o-1" && last.after?.status == .cancelled)
    #expect(last.cause == .timer && last.actor == "_system" && last.reason == "partner_timeout")
    #expect(last.csn == city.twin.csn && last.at == city.now)
    #expect(
      city.twin.audit.records.last?[AuditEvent.details]
        == #"{"operation":"update","reason":"partner_timeout"}"#)
    city.operate(.commitLog(kept: false))
    #expect(city.twin.commitLog == nil)
  }
}
