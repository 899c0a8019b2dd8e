import Contracts
import MimiSupplyContract
import Observations

/// The way of an order to its customer (§5.1), and why some end before.
public enum OrderFlow {
  public static let flow = Flow<MimiSupply>(
    Course(
      of: "orders", steps: ["created", "accepted", "with a driver", "delivered"],
      reasons: Reason.allCases.map(\.course)),
    concerns: OrderMilestones.concerns,
    watching: { OrderFlowWatch(by: $0.lender(of: OrderNews.self)(0)) })

  fileprivate enum Reason: Int, CaseIterable {
    case customer, partner, ignored, unpaid, payment, driverless, carrying

    var course: Course.Reason {
      switch self {
      case .customer: Course.Reason("cancelled by the customer", .population)
      case .partner: Course.Reason("cancelled by the shop", .population)
      case .ignored: Course.Reason("not accepted in time", .population)
      case .unpaid: Course.Reason("not paid in time", .population)
      case .payment: Course.Reason("payment refused", .model)
      case .driverless: Course.Reason("no driver found", .backend)
      case .carrying: Course.Reason("failed on the way", .population)
      }
    }
  }
}

private struct OrderFlowWatch: FlowWatch {
  private let news: OrderNews
  /// Orders, by their numbers, that were seen accepted.
  private var accepted: Set<Int> = []

  init(by news: OrderNews) { self.news = news }

  mutating func see(_ record: MSRecord) -> [Flow<MimiSupply>.Move] {
    guard case .request = record.event else { return [] }
    var moves: [Flow<MimiSupply>.Move] = []
    for item in news.items {
      guard case .order(let order) = item, !order.isRepeated else { continue }
      let key = order.shown.name.text
      switch order.status {
      case .cancelled, .failed:
        // The first that is seen of an order may be its end.
        moves += [.reached(key, step: 0), .left(key, reason: reason(of: order).rawValue)]
      case .delivered: moves.append(.reached(key, step: 3))
      case let status:
        let isAccepted = status.place >= OrderStatus.accepted.place
        if isAccepted { accepted.insert(order.number) }
        let step = !isAccepted ? 0 : order.shown.driver == nil ? 1 : 2
        moves.append(.reached(key, step: step))
      }
    }
    return moves
  }

  /// By what the order shows of who ended it, and of its payment.
  private func reason(of order: OrderNews.OrderSight) -> OrderFlow.Reason {
    let who = order.shown.record.modified.userRecordName
    if order.status == .cancelled {
      return who == .system ? .ignored : who == order.shown.customer ? .customer : .partner
    }
    guard who == .system else { return .carrying }
    switch order.shown.record[Order.paymentStatus] {
    case "failed": return .payment
    case "cancelled" where !accepted.contains(order.number): return .unpaid
    default: return .driverless
    }
  }
}
