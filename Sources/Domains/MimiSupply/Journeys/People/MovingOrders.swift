import Contracts
import Journeys
import MimiSupplyContract
import Timekeeping

/// What became of a step along §5.1.
enum Step {
  case made(CloudRecord)
  /// It cannot be made any more: the order is over, somebody else's, or not to be seen.
  case moot(OrderStatus?)
}

extension AppClient {
  /// Moves an order to a status, as `updateOrderStatus` does: read, then written with its tag. What was lost on the way
  /// is tried again; what was made already is made.
  ///
  /// - Parameter tries: After how many without an answer it is given up.
  func move(
    _ order: RecordName, to target: OrderStatus, with more: Fields = [:],
    tries: Int = 5, as me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> Step {
    for attempt in 1...tries {
      if attempt > 1 { try await me.think(.seconds(Int64(5 * attempt))) }
      var seen: CloudRecord?
      let result = try await update(order, as: me) { found in
        seen = found
        return FieldChanges([.status: .string(target.rawValue)]).merging(FieldChanges(more))
      }
      if let record = result?.record { return .made(record) }
      guard let seen, let status = seen.status else {
        // Nothing was found, or nothing was heard.
        if attempt >= 2 { return .moot(nil) }
        continue
      }
      if status == target { return .made(seen) }
      if status.isTerminal || (!target.isTerminal && status.place > target.place) {
        return .moot(status)
      }
      if let code = result?.failure?.code, code != .conflict { return .moot(status) }
    }
    return .moot(nil)
  }
}
