import Contracts
import MimiSupplyContract
import Testing
import Timekeeping

@testable import MimiSupplyTwin

@Suite struct `Money at MimiSupply's market` {
  @Test(arguments: 0..<32)
  func `MS-28 to MS-38 and MS-64 to MS-79 hold over histories in every mode`(seed: Int) {
    var numbers = SystemOfNumbers(seed)
    var settings = MarketSettings()
    settings.dispatchMode = MimiSupply.Deployment.DispatchMode.allCases[seed % 4]
    settings.batchAsOffers = seed % 8 < 4
    var bazaar = Bazaar(settings)
    for number in 0..<3 { bazaar.loadDriver(number) }
    let statuses = [
      "accepted", "preparing", "ready_for_pickup", "picked_up", "en_route", "delivered",
      "cancelled", "failed",
    ]
    let actors = [Bazaar.customer, Bazaar.partner, Bazaar.admin] + (0..<3).map(Bazaar.driver)
    for step in 0..<150 {
      if numbers.below(6) == 0 {
        let quantity = Int64(numbers.below(3) + 1)
        bazaar.order(
          "o-\(step)",
          numbers.below(4) == 0
            ? [.paymentMethod: .string("cash"), .paymentStatus: .string("pending")] : [:],
          lines: [Bazaar.line("soup", quantity, price: 500)], subtotal: 500 * quantity)
      }
      let names = bazaar.market.orders.keys.sorted()
      guard !names.isEmpty else { continue }
      let name = names[numbers.below(names.count)]
      switch numbers.below(5) {
      case 0 where settings.dispatchMode == .pool:
        let driver = numbers.below(3)
        bazaar.update(name, [.driverId: .string("d-\(driver)")], by: Bazaar.driver(driver))
      case 0: bazaar.answer(numbers.below(3) > 0 ? "accepted" : "declined", for: name)
      case 1:
        let tip = Int64(numbers.below(500))
        let order = bazaar.shelf.record(name)!
        let rest = order[Order.totalCents]! - (order[Order.tipCents] ?? 0)
        bazaar.update(
          name, [.tipCents: .int64(tip), .totalCents: .int64(rest + tip)], by: Bazaar.customer)
      case 2:
        bazaar.wait(.seconds(Int64(numbers.below(40))))
        bazaar.position(numbers.below(3), Bazaar.north(Double(numbers.below(12_000))))
      case 3:
        if let driver = bazaar.driver(name), let number = Int(driver.text.dropFirst(2)) {
          bazaar.complete(name, by: number)
        }
      default:
        bazaar.move(
          name, to: statuses[numbers.below(statuses.count)],
          by: actors[numbers.below(actors.count)])
      }
      judge(bazaar, seed)
    }
  }

  private func judge(_ bazaar: Bazaar, _ seed: Int) {
    for (name, facts) in bazaar.market.orders.all {
      let order = bazaar.shelf.record(name)!
      let amounts = Amounts(order)!
      #expect(amounts.sum == amounts.total, "MS-28, seed \(seed)")
      #expect(facts.refundedCents <= facts.paidCents, "MS-37, seed \(seed)")
      let isRefunded = order[Order.paymentStatus] == "refunded"
      let isEndedUndelivered = facts.status == .cancelled || facts.status == .failed
      #expect(isRefunded == (isEndedUndelivered && facts.paidCents > 0), "MS-37, seed \(seed)")
      #expect((facts.refundedCents == amounts.total) == isRefunded, "MS-37, seed \(seed)")
      #expect(
        (order.fields[.actualDeliveryTime] != nil) == (facts.status == .delivered),
        "MS-61, seed \(seed)")
      if facts.status == .delivered { #expect(order[Order.paymentStatus] == "completed") }
    }
    for (name, facts) in bazaar.market.drivers.all {
      let delivered = bazaar.market.orders.all.values.count {
        $0.driver == name && $0.status == .delivered
      }
      let counter = bazaar.shelf.record(name)![Driver.completedDeliveries]!
      #expect(counter == Int64(100 + delivered), "MS-79, seed \(seed)")
      #expect(facts.activeOrders.count <= 1, "MS-65, seed \(seed)")
      let held = bazaar.market.orders.all.filter {
        $0.value.driver == name && $0.value.status.isActive
      }
      #expect(Set(held.keys) == facts.activeOrders, "seed \(seed)")
    }
    let offers = bazaar.shelf.records.values.filter {
      $0.type == "DriverOffer" && $0[DriverOffer.state] == "offered"
    }
    #expect(Set(offers.map { $0[DriverOffer.order] }).count == offers.count, "MS-67, seed \(seed)")
    #expect(Set(offers.map { $0[Order.driver] }).count == offers.count, "MS-67, seed \(seed)")
    #expect(Set(offers.map(\.name)) == Set(bazaar.market.offers.keys), "seed \(seed)")
    for (_, facts) in bazaar.market.orders.all where facts.isWaiting && facts.openOffer == nil {
      guard bazaar.market.settings.dispatchMode == .offer else { continue }
      let forgotten = bazaar.market.drivers.keys.filter {
        !facts.asked.contains($0) && bazaar.market.isCandidate($0, for: facts, at: bazaar.now)
      }
      #expect(forgotten.isEmpty, "MS-70, seed \(seed)")
    }
    for change in bazaar.log {
      guard let before = change.before, let after = change.after, after.type == "Order" else {
        continue
      }
      let isCarried = before.status?.isCarried == true || before.status == .delivered
      if isCarried { #expect(before[Order.driver] == after[Order.driver], "MS-64") }
    }
  }

  // MARK: Policies (§3.6): every expected number is worked out by hand

  private func fees(
    _ policy: FeePolicy, _ subtotal: Int64, metres: Int = 2_345, hour: Int = 15
  ) -> [Int64]? {
    Fees.by(policy, subtotal: subtotal, metres: metres, hour: hour, isExpress: false)
      .map { [$0.delivery, $0.platform, $0.tax] }
  }

  @Test func `the four policies, to the cent`() {
    #expect(fees(.germanDocs, 2_350) == [199, 0, 0])
    #expect(
      Fees.by(.germanDocs, subtotal: 1, metres: 0, hour: 0, isExpress: true)
        == Fees(delivery: 299, platform: 0, tax: 0))
    // 5 % of 2,350 = 117.5; 8 % of 2,350 + 299 + 117 = 221.28.
    #expect(fees(.checkout, 2_350) == [299, 117, 221])
    for hour in [11, 14, 17, 20] { #expect(fees(.checkout, 2_350, hour: hour)![0] == 448) }
    for hour in [10, 15, 16, 21] { #expect(fees(.checkout, 2_350, hour: hour)![0] == 299) }
    // 8.75 % of 2,499 = 218.66; of 2,500 = 218.75; of 5,000 = 437.5.
    #expect(fees(.cart, 2_499) == [299, 99, 218])
    #expect(fees(.cart, 2_500) == [0, 99, 218])
    #expect(fees(.cart, 5_000) == [0, 49, 437])
    // 299 + ⌊50 · 2.345⌋ = 416; 12 % of 2,350 = 282; 8 % = 188.
    #expect(fees(.distance, 2_350) == [416, 282, 188])
    #expect(fees(.distance, 1_000)![1] == 199)
    // 5 % of 2⁶³ − 1 and no overflow on the way.
    #expect(fees(.cart, Int64.max)![2] == 807_045_053_224_792_883)
    #expect(fees(.checkout, Int64.max) == nil)
  }

  // MARK: Pay (§5.4, MS-36)

  @Test func `MS-36: a Monday lunch by bicycle with nine minutes of waiting`() {
    var bazaar = Bazaar()
    bazaar.loadDriver(1, at: Bazaar.north(900))
    bazaar.order("o-1", [.tipCents: .int64(150), .totalCents: .int64(1_349)])
    bazaar.move(to: "accepted", by: Bazaar.partner)
    bazaar.answer("accepted")
    bazaar.wait(.seconds(60))
    bazaar.position(1, Bazaar.north(76))
    bazaar.wait(.seconds(60))
    bazaar.position(1, Bazaar.north(75))
    for _ in 0..<9 {
      bazaar.wait(.seconds(60))
      bazaar.position(1, Bazaar.restaurant)
    }
    bazaar.move(to: "preparing", by: Bazaar.partner)
    bazaar.move(to: "ready_for_pickup", by: Bazaar.partner)
    bazaar.move(to: "picked_up", by: Bazaar.driver(1))
    bazaar.move(to: "en_route", by: Bazaar.driver(1))
    bazaar.complete()
    bazaar.move(to: "delivered", by: Bazaar.driver(1))
    // 350, 1,112 m at 80 a kilometre, 4 minutes at 20, bicycle 50, lunch 100, tip 150.
    #expect(bazaar.market.orders["o-1"]!.payCents == 818)
  }
}
