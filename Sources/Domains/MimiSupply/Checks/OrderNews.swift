import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// What the call at hand shows of orders and of offers to drivers, read once for all latencies.
final class OrderNews: Facts {
  static let scope = Scope<MimiSupply>.region
  static let concerns = Set<Concern>.asking(.query, .lookup, .modify, .changes)

  enum Item {
    case order(OrderSight)
    /// An offer with the number of its order and the driver to whom it was made.
    case offer(CloudRecord, order: Int, driver: RecordName)
  }

  /// An order as an answer shows it, under a number for its name.
  struct OrderSight {
    let number: Int
    let shown: ShownOrder
    let status: OrderStatus
    let updatedAt: Instant
    /// The answer before showed the same state, and no offer came in between.
    let isRepeated: Bool
  }

  private struct State: Equatable {
    let status: OrderStatus
    let updatedAt: Instant
    let driver: RecordName?
  }

  private(set) var items: [Item] = []
  private var numbers: [RecordName: Int] = [:]
  private var last: [State?] = []

  init(_ subject: Subject<Nothing<MimiSupply>>) {}

  func number(of order: RecordName) -> Int {
    if let known = numbers[order] { return known }
    numbers[order] = last.count
    last.append(nil)
    return last.count - 1
  }

  func asked(_ call: SeenCall, at moment: Moment) {
    items.removeAll(keepingCapacity: true)
    guard call.call.mayShowOrders else { return }
    var orders = call.orders.makeIterator()
    for record in call.shown {
      switch record.type {
      case .order: if let order = orders.next() { see(order) }
      case .driverOffer: see(offer: record)
      default: break
      }
    }
  }

  private func see(_ order: ShownOrder) {
    guard let updatedAt = order.record[Order.updatedAt], let status = order.status else { return }
    let number = number(of: order.name)
    let state = State(status: status, updatedAt: updatedAt, driver: order.driver)
    items.append(
      .order(
        OrderSight(
          number: number, shown: order, status: status, updatedAt: updatedAt,
          isRepeated: last[number] == state)))
    last[number] = state
  }

  private func see(offer record: CloudRecord) {
    guard let order = record[DriverOffer.order], let driver = record[DriverOffer.driver] else {
      return
    }
    let number = number(of: order)
    last[number] = nil
    items.append(.offer(record, order: number, driver: driver))
  }
}

extension Call<MimiSupply> {
  /// A cheap look before the long one: most queries and lookups are about the catalogue.
  var mayShowOrders: Bool {
    guard outcome.isReplied else { return false }
    switch request {
    case .query(_, let query):
      return query.query.recordType == .order || query.query.recordType == .driverOffer
    case .lookup(let place, _), .modify(let place, _): return place.database != "public"
    case .changes: return true
    default: return false
    }
  }
}
