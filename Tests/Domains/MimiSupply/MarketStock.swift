import Contracts
import MimiSupplyContract
import Testing
import Timekeeping

@testable import MimiSupplyTwin

@Suite struct `Stock and timers at MimiSupply's market` {
  private func cakes(_ count: Int64) -> [JSON] { [Bazaar.line("cake", count, price: 350)] }

  @Test func `MS-50 to MS-53: reserved, used up, returned, once`() {
    var bazaar = Bazaar()
    #expect(bazaar.order("o-1", lines: cakes(2), subtotal: 700) == nil)
    #expect(bazaar.stock("cake") == 3)
    #expect(bazaar.order("o-2", lines: cakes(3), subtotal: 1_050) == nil)
    #expect(bazaar.stock("cake") == 0)
    #expect(bazaar.shelf.record("cake")?.fields[.isAvailable] == .int64(0))
    #expect(
      bazaar.order("o-3", lines: cakes(2), subtotal: 700)?.mimiReason == "product_unavailable")
    bazaar.move("o-1", to: "cancelled", by: Bazaar.customer)
    #expect(bazaar.stock("cake") == 2)
    #expect(bazaar.shelf.record("cake")?.fields[.isAvailable] == .int64(1))
    #expect(bazaar.move("o-1", to: "cancelled", by: Bazaar.customer) != nil)
    #expect(bazaar.stock("cake") == 2)
  }

  @Test func `MS-53: what the partner switched off stays off`() {
    var bazaar = Bazaar()
    bazaar.order("o-1", lines: cakes(5), subtotal: 1_750)
    bazaar.update("cake", [.isAvailable: .int64(1)], by: Bazaar.partner)
    bazaar.update("cake", [.isAvailable: .int64(0)], by: Bazaar.partner)
    bazaar.move("o-1", to: "cancelled", by: Bazaar.partner)
    #expect(bazaar.stock("cake") == 5)
    #expect(bazaar.shelf.record("cake")?.fields[.isAvailable] == .int64(0))
    bazaar.update("cake", [.isAvailable: .int64(1)], by: Bazaar.partner)
    bazaar.update("cake", [.stockQuantity: .int64(0)], by: Bazaar.partner)
    #expect(bazaar.shelf.record("cake")?.fields[.isAvailable] == .int64(0))
  }

  @Test func `MS-54: unlimited stock is never changed`() {
    var bazaar = Bazaar()
    bazaar.update("cake", [.stockQuantity: .int64(-1)], by: Bazaar.partner)
    #expect(bazaar.order("o-1", lines: cakes(99), subtotal: 34_650) == nil)
    #expect(bazaar.order("o-2") == nil)
    #expect(bazaar.stock("cake") == -1)
    #expect(bazaar.stock("soup") == nil)
    bazaar.move("o-1", to: "cancelled", by: Bazaar.customer)
    #expect(bazaar.stock("cake") == -1)
  }

  @Test func `MS-52: after pickup nothing returns`() {
    var bazaar = Bazaar()
    bazaar.loadDriver(1)
    bazaar.order("o-1", lines: cakes(2), subtotal: 700)
    for (status, actor) in [
      ("accepted", Bazaar.partner), ("preparing", Bazaar.partner), ("ready", Bazaar.partner),
    ] {
      bazaar.move(to: status, by: actor)
    }
    bazaar.answer("accepted")
    bazaar.move(to: "picked_up", by: Bazaar.driver(1))
    bazaar.move(to: "failed", by: Bazaar.driver(1))
    #expect(bazaar.stock("cake") == 3)
    #expect(bazaar.payment() == "refunded")
    #expect(bazaar.shelf.record("d-1")?.fields[.isAvailable] == .int64(1))
  }

  @Test(arguments: 0..<20)
  func `many buyers of scarce stock: sold and remaining are what there was`(seed: Int) {
    var numbers = SystemOfNumbers(seed)
    var bazaar = Bazaar()
    let initial = Int64(numbers.below(30))
    bazaar.load("rare", "Product", Bazaar.productFields(stock: initial), by: "u-partner")
    var held: [RecordName: Int64] = [:]
    for number in 0..<60 {
      let quantity = Int64(numbers.below(4) + 1)
      let name: RecordName = "o-\(number)"
      let failure = bazaar.order(
        name, lines: [Bazaar.line("rare", quantity, price: 500)], subtotal: 500 * quantity)
      if failure == nil { held[name] = quantity }
      if numbers.below(3) == 0, let victim = held.keys.sorted().first,
        bazaar.move(victim, to: "cancelled", by: Bazaar.customer) == nil
      {
        held[victim] = nil
      }
      let sold = held.values.reduce(0, +)
      #expect(bazaar.stock("rare")! + sold == initial, "seed \(seed)")
      #expect(bazaar.stock("rare")! >= 0, "seed \(seed)")
      #expect((bazaar.stock("rare") == 0) <= !bazaar.shelf.record("rare")![Driver.isAvailable])
    }
  }

  @Test func `MS-55: an unpaid order fails after 15 minutes and returns its stock`() {
    for processes in [false, true] {
      var bazaar = Bazaar()
      bazaar.order(
        "o-1", [.status: .string("created"), .paymentStatus: .string("pending")],
        lines: cakes(5), subtotal: 1_750)
      bazaar.wait(.minutes(5))
      if processes { bazaar.move(to: "payment_processing", by: Bazaar.customer) }
      bazaar.wait(.minutes(10) - .milliseconds(1))
      #expect(bazaar.stock("cake") == 0)
      bazaar.wait(.milliseconds(1))
      #expect(
        [bazaar.status(), bazaar.payment()] == ["failed", processes ? "failed" : "cancelled"])
      #expect(bazaar.stock("cake") == 5)
      #expect(bazaar.shelf.record("cake")?.fields[.isAvailable] == .int64(1))
    }
  }

  @Test func `MS-62: a partner has 2 minutes`() {
    var bazaar = Bazaar()
    bazaar.order()
    bazaar.wait(.minutes(2) - .milliseconds(1))
    #expect(bazaar.status() == "payment_confirmed")
    bazaar.wait(.milliseconds(1))
    #expect([bazaar.status(), bazaar.payment()] == ["cancelled", "refunded"])
    #expect(bazaar.move(to: "accepted", by: Bazaar.partner)?.mimiReason == "illegal_transition")
  }

  @Test func `timers of one instant fire by kind, then name (6.6)`() {
    var timers = Timers()
    let due = Bazaar.noon
    let kinds: [TimerKind] = [.unpaid, .giveUp, .offline, .pickup, .partner, .offer]
    for kind in kinds {
      for name in ["b", "a"] as [RecordName] { timers.set(kind, name, at: due) }
    }
    var fired: [TimerKey] = []
    while let key = timers.take(until: due) { fired.append(key) }
    #expect(fired == fired.sorted())
    #expect(fired.map(\.kind).first == .offer)
    #expect(fired.map(\.kind).last == .unpaid)
    #expect(fired.count == 12)
  }

  @Test(arguments: 0..<50)
  func `timers agree with a sorted list`(seed: Int) {
    var numbers = SystemOfNumbers(seed)
    var timers = Timers()
    var list: [TimerKey: Instant] = [:]
    for _ in 0..<400 {
      let key = TimerKey(
        kind: TimerKind(rawValue: UInt8(numbers.below(6)))!, name: "\(numbers.below(9))")
      switch numbers.below(5) {
      case 0:
        let due = list.min { ($0.value, $0.key) < ($1.value, $1.key) }
        #expect(timers.earliest == due?.value, "seed \(seed)")
        #expect(timers.take(until: .distantFuture) == due?.key, "seed \(seed)")
        if let due { list[due.key] = nil }
      case 1:
        timers.set(key.kind, key.name, at: nil)
        list[key] = nil
      default:
        let due = Instant(unixSeconds: Int64(numbers.below(50)))
        timers.set(key.kind, key.name, at: due)
        list[key] = due
      }
      #expect(timers.earliest == list.values.min(), "seed \(seed)")
    }
  }
}

extension Bool {
  /// Implication.
  fileprivate static func <= (a: Bool, b: Bool) -> Bool { !a || b }
}
