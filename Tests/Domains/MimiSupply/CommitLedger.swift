import Contracts
import MimiSupplyContract
import Timekeeping

@testable import MimiSupplyTwin

/// What must hold at every commit, from the log alone: numbers in order, each change on the state before it, legal steps,
/// one driver, amounts that add up, stock that balances.
struct CommitLedger {
  private let settings: MarketSettings
  private var records: [RecordName: CloudRecord] = [:]
  private var csn = 0
  private var at = Instant.distantPast
  private var stockAtFirst: [RecordName: Int64] = [:]
  /// Pieces by order and product, as long as they are reserved or gone.
  private var taken: [RecordName: [RecordName: Int64]] = [:]
  private var deliveriesAtFirst: [RecordName: Int64] = [:]
  private(set) var objections: [String] = []

  init(_ settings: MarketSettings) { self.settings = settings }

  /// Section 5.1, pair by pair.
  private static let legal: [OrderStatus: Set<OrderStatus>] = [
    .created: [.paymentProcessing, .failed, .cancelled],
    .paymentProcessing: [.paymentConfirmed, .failed, .cancelled],
    .paymentConfirmed: [.accepted, .cancelled],
    .accepted: [.preparing, .cancelled, .failed],
    .preparing: [.readyForPickup, .cancelled, .failed],
    .readyForPickup: [.pickedUp, .cancelled, .failed],
    .pickedUp: [.enRoute, .failed],
    .enRoute: [.delivered, .failed],
  ]

  /// MS-63.
  private static let payments: [String: Set<String>] = [
    "pending": ["processing", "completed", "cancelled", "failed"],
    "processing": ["completed", "failed", "cancelled"],
    "completed": ["refunded"],
  ]

  private mutating func demand(_ isMet: Bool, _ text: @autoclosure () -> String) {
    if !isMet { objections.append("commit \(csn), \(at): \(text())") }
  }

  mutating func see(_ entry: CommitLog.Entry) {
    if entry.csn != csn {
      judgeState()
      demand(entry.csn > csn, "number \(entry.csn) comes after it")
      demand(entry.at >= at, "time goes back to \(entry.at)")
      (csn, at) = (entry.csn, entry.at)
    }
    demand(entry.at == at, "two instants in one commit")
    demand(records[entry.name] == entry.before, "\(entry.name) is changed from another state")
    demand(
      entry.after.map { $0.changeTag == String(csn, radix: 36) } ?? true,
      "\(entry.name) has a tag of another commit (MS-82)")
    switch (entry.type, entry.before, entry.after) {
    case ("Order", nil, let after?): begin(after)
    case ("Order", let before?, let after?): judge(before, after, by: entry.actor)
    case ("Product", nil, let after?): stockAtFirst[after.name] = after[Product.stockQuantity]
    case ("Driver", nil, let after?):
      deliveriesAtFirst[after.name] = after[Driver.completedDeliveries]
    default: break
    }
    records[entry.name] = entry.after
  }

  // MARK: One order

  private mutating func begin(_ order: CloudRecord) {
    judgeAmounts(of: order)
    for line in OrderLine.lines(parsing: order[Order.items]!)!
    where stockAtFirst[line.productID] != nil {
      taken[order.name, default: [:]][line.productID, default: 0] += line.quantity
    }
  }

  private mutating func judge(_ before: CloudRecord, _ after: CloudRecord, by actor: UserName) {
    let name = after.name
    let (from, to) = (before.status!, after.status!)
    if from != to {
      demand(Self.legal[from]?.contains(to) == true, "\(name): \(from) → \(to) (MS-56, MS-58)")
      if to == .cancelled || to == .failed, ![.pickedUp, .enRoute].contains(from) {
        taken[name] = nil
      }
    }
    judgeDriver(before, after)
    let (paid, pays) = (before[Order.paymentStatus]!, after[Order.paymentStatus]!)
    if paid != pays {
      demand(Self.payments[paid]?.contains(pays) == true, "\(name): \(paid) → \(pays) (MS-63)")
    }
    for field: FieldName in [
      .subtotalCents, .deliveryFeeCents, .platformFeeCents, .taxCents, .items,
    ] {
      demand(before.fields[field] == after.fields[field], "\(name).\(field.text) changed (MS-26)")
    }
    if before[Order.tipCents] != after[Order.tipCents] {
      demand(from.isActive && to.isActive, "\(name) got a tip at its end (MS-33)")
      demand(actor == after[Order.customer], "\(name) got a tip from \(actor) (MS-33)")
    }
    demand(
      after.fields[.updatedAt] == .timestamp(at.toMilliseconds), "\(name).updatedAt (MS-61)")
    judgeAmounts(of: after)
  }

  private mutating func judgeDriver(_ before: CloudRecord, _ after: CloudRecord) {
    let (old, new) = (before[Order.driver], after[Order.driver])
    guard old != new else { return }
    demand(old == nil || new == nil, "\(after.name) goes from driver to driver (MS-64)")
    let free: [OrderStatus] = [.paymentConfirmed, .accepted, .preparing, .readyForPickup]
    demand(
      free.contains(before.status!) && before.status == after.status,
      "\(after.name) changes its driver as \(before.status!) (MS-64)")
  }

  private mutating func judgeAmounts(of order: CloudRecord) {
    let parts = [
      Order.subtotalCents, Order.deliveryFeeCents, Order.platformFeeCents, Order.taxCents,
      Order.tipCents,
    ]
    let sum = parts.reduce(0) { $0 + (order[$1] ?? 0) }
    demand(sum == order[Order.totalCents], "\(order.name): \(sum) (MS-28)")
    demand(
      (order.status == .delivered) == (order.fields[.actualDeliveryTime] != nil),
      "\(order.name).actualDeliveryTime (MS-61)")
    let isPaid = order[Order.paymentStatus] == "completed"
    if order.status == .cancelled || order.status == .failed {
      demand(!isPaid, "\(order.name) ended and is not refunded (MS-37)")
    }
    if order.status == .delivered { demand(isPaid, "\(order.name) is not paid (MS-63)") }
  }

  // MARK: The whole, between two commits

  private mutating func judgeState() {
    let orders = records.values.filter { $0.type == "Order" }
    for (product, first) in stockAtFirst.sorted(by: { $0.key < $1.key }) {
      let gone = taken.values.reduce(0) { $0 + ($1[product] ?? 0) }
      let stock = records[product]![Product.stockQuantity]!
      demand(stock >= 0, "\(product) has \(stock) (MS-50)")
      demand(stock + gone == first, "\(product): \(stock) + \(gone) of \(first) (MS-51, MS-52)")
      demand(
        records[product]![Product.isAvailable] == (stock > 0), "\(product).isAvailable (MS-53)")
    }
    for (driver, first) in deliveriesAtFirst.sorted(by: { $0.key < $1.key }) {
      let record = records[driver]!
      let own = orders.filter { $0[Order.driver] == driver }
      let active = own.filter { $0.status!.isActive }
      demand(active.count <= settings.driverCapacity, "\(driver) holds \(active.count) (MS-65)")
      if active.count == settings.driverCapacity {
        demand(!record[Driver.isAvailable], "\(driver) is full and available (MS-72)")
      }
      let delivered = Int64(own.count { $0.status == .delivered })
      demand(
        record[Driver.completedDeliveries] == first + delivered,
        "\(driver).completedDeliveries (MS-79)")
      if !record[Driver.isOnline] {
        demand(!record[Driver.isAvailable], "\(driver) is offline and available (MS-73)")
        demand(
          active.allSatisfy { [.pickedUp, .enRoute].contains($0.status!) },
          "\(driver) is offline and holds an order before pickup (MS-73)")
      }
    }
  }
}
