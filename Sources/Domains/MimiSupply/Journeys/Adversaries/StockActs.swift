import Contracts
import Journeys
import MimiSupplyContract
import Timekeeping

/// What is tried against the rules about stock: MS-50 to MS-55.
enum StockActs {
  static let all: [Act] = [
    Act { adversary, me throws(JourneyEnded) in try await adversary.negativeStock(me) },
    Act { adversary, me throws(JourneyEnded) in try await adversary.race(me) },
    Act { adversary, me throws(JourneyEnded) in try await adversary.allOrNothing(me) },
    Act { adversary, me throws(JourneyEnded) in try await adversary.returns(me) },
    Act { adversary, me throws(JourneyEnded) in try await adversary.nothingAfterPickup(me) },
    Act { adversary, me throws(JourneyEnded) in try await adversary.soldOut(me) },
    Act { adversary, me throws(JourneyEnded) in try await adversary.switchedOff(me) },
    Act { adversary, me throws(JourneyEnded) in try await adversary.unlimited(me) },
    Act { adversary, me throws(JourneyEnded) in try await adversary.unpaid(.created, me) },
    Act { adversary, me throws(JourneyEnded) in try await adversary.unpaid(.paymentProcessing, me)
    },
  ]
}

extension Adversary {
  /// A new product of the corner's partner, 1,200 cents, with so many pieces.
  func stock(of pieces: Int64?, _ me: Person<MimiSupply>) async throws(JourneyEnded) -> RecordName {
    let name = fresh("stock")
    try await create(
      product(name, of: corner.partner, price: 1_200, stock: pieces, at: me.now), in: "public",
      as: .owner, me)
    return name
  }

  /// MS-50: no stock but −1 lies below 0.
  fileprivate func negativeStock(_ me: Person<MimiSupply>) async throws(JourneyEnded) {
    let dish = try await stock(of: 5, me)
    for pieces: Int64 in [-2, -1, 3] {
      try await update(dish, [.stockQuantity: .int64(pieces)], in: "public", as: .owner, me)
      _ = try await look(dish, in: "public", as: .customer, me)
    }
  }

  /// MS-51: eight at once want the five pieces that there are.
  fileprivate func race(_ me: Person<MimiSupply>) async throws(JourneyEnded) {
    let dish = try await stock(of: 5, me)
    let orders = (0..<8).map { _ in order(at: me.now, of: dish, quantity: 1) }
    try await pause(me)
    _ = try await me.ask(
      all: orders.map { order in
        Ask(
          .modify(
            Location(database: "private"),
            Modification([.init(.create, order.draft(at: me.now))])),
          with: corner.credential(.customer))
      })
    _ = try await look(dish, in: "public", as: .customer, me)
    _ = try await place(order(at: me.now, of: dish, quantity: 1), me)
    for order in orders { try await clear(order.name, me) }
  }

  /// MS-51: lines of one product add up, and an order that cannot have all has nothing.
  fileprivate func allOrNothing(_ me: Person<MimiSupply>) async throws(JourneyEnded) {
    let (many, few) = (try await stock(of: 5, me), try await stock(of: 1, me))
    var both = order(at: me.now, of: many, quantity: 3)
    both.lines.append(.init(product: few, name: "Dish", quantity: 2, unitPriceCents: 1_200))
    var twice = order(at: me.now, of: many, quantity: 3)
    twice.lines.append(twice.lines[0])
    var exact = order(at: me.now, of: many, quantity: 3)
    exact.lines.append(.init(product: many, name: "Dish", quantity: 2, unitPriceCents: 1_200))
    for order in [both, twice, exact] {
      _ = try await place(order, me)
      for dish in [many, few] { _ = try await look(dish, in: "public", as: .customer, me) }
    }
    try await clear(exact.name, me)
  }

  /// MS-52: what a cancelled order had comes back once.
  fileprivate func returns(_ me: Person<MimiSupply>) async throws(JourneyEnded) {
    let dish = try await stock(of: 5, me)
    let (first, second) = (
      order(at: me.now, of: dish, quantity: 3), order(at: me.now, of: dish, quantity: 1)
    )
    _ = try await place(first, me)
    _ = try await place(second, me)
    for _ in 0..<2 {
      try await move(first.name, to: .cancelled, as: .customer, me)
      _ = try await look(dish, in: "public", as: .customer, me)
    }
    try await move(second.name, to: .accepted, as: .owner, me)
    try await move(second.name, to: .failed, as: .admin, me)
    _ = try await look(dish, in: "public", as: .customer, me)
  }

  /// MS-52: what was picked up does not come back.
  fileprivate func nothingAfterPickup(_ me: Person<MimiSupply>) async throws(JourneyEnded) {
    let dish = try await stock(of: 5, me)
    let order = order(at: me.now, of: dish, quantity: 2)
    _ = try await deliver(order, to: .pickedUp, me)
    try await move(order.name, to: .failed, as: .driver, me)
    _ = try await look(dish, in: "public", as: .customer, me)
    try await finish(order.name, me)
  }

  /// MS-53: the last piece switches the product off, and on when it comes back.
  fileprivate func soldOut(_ me: Person<MimiSupply>) async throws(JourneyEnded) {
    let dish = try await stock(of: 5, me)
    let order = order(at: me.now, of: dish, quantity: 5)
    _ = try await place(order, me)
    _ = try await look(dish, in: "public", as: .customer, me)
    _ = try await place(self.order(at: me.now, of: dish, quantity: 1), me)
    try await clear(order.name, me)
    _ = try await look(dish, in: "public", as: .customer, me)
  }

  /// MS-53: what its partner switched off stays off.
  fileprivate func switchedOff(_ me: Person<MimiSupply>) async throws(JourneyEnded) {
    let dish = try await stock(of: 5, me)
    let order = order(at: me.now, of: dish, quantity: 2)
    _ = try await place(order, me)
    try await update(dish, [.isAvailable: .int64(0)], in: "public", as: .owner, me)
    try await clear(order.name, me)
    _ = try await look(dish, in: "public", as: .customer, me)
  }

  /// MS-54: no order changes a stock that has no end.
  fileprivate func unlimited(_ me: Person<MimiSupply>) async throws(JourneyEnded) {
    let (absent, sentinel) = (try await stock(of: nil, me), try await stock(of: -1, me))
    for dish in [absent, sentinel] {
      let order = order(at: me.now, of: dish, quantity: 99)
      _ = try await place(order, me)
      _ = try await look(dish, in: "public", as: .customer, me)
      try await clear(order.name, me)
      _ = try await look(dish, in: "public", as: .customer, me)
    }
  }

  /// MS-55: looked at just before a quarter of an hour is over, and just after it.
  fileprivate func unpaid(
    _ status: OrderStatus, _ me: Person<MimiSupply>
  ) async throws(JourneyEnded) {
    let dish = try await stock(of: 5, me)
    var order = order(at: me.now, of: dish)
    (order.status, order.paymentStatus) = (.created, "pending")
    let began = me.now
    _ = try await place(order, me)
    if status != .created { try await move(order.name, to: status, as: .customer, me) }
    for wait in [Span.minutes(15) - .seconds(4), .minutes(15) + .seconds(8)] {
      try await me.think(until: began + wait)
      _ = try await look(order.name, as: .customer, me)
    }
    _ = try await look(dish, in: "public", as: .customer, me)
    try await move(order.name, to: .cancelled, as: .customer, me)
  }
}
