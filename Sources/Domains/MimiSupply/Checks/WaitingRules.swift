import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// Orders that wait for a driver or lose theirs: MS-70, MS-71.
enum WaitingRules {
  // MARK: MS-70

  /// No order waits longer than the give-up time.
  static func waits(_ shown: Inspected, _ facts: DispatchFacts, _ judge: inout Judge) {
    guard let now = shown.now else { return }
    for (name, order) in shown.openOrders {
      guard let note = order.note, let trigger = note.trigger, !note.hasDriver,
        let status = note.status, status.isBeforePickup,
        status.place >= OrderStatus.accepted.place
      else { continue }
      let waited = now - trigger
      judge.expect(
        waited <= facts.settings.giveUp, "\(name) has waited for a driver for \(waited)")
    }
  }

  /// The system gives up with a refund, and not before the time.
  static func gaveUp(_ order: ShownOrder, _ facts: DispatchFacts, _ judge: inout Judge) {
    guard order.status == .failed, order.record.modified.userRecordName == "_system",
      order.driver == nil
    else { return }
    switch order.record[Order.paymentStatus] {
    case "completed": judge.violated("\(order.name) failed and was not refunded")
    case "refunded":
      guard let updated = order.record[Order.updatedAt] else { return }
      let waited = updated - order.record.created.timestamp
      judge.expect(
        waited >= facts.settings.giveUp,
        "\(order.name) was given up \(waited) after it was placed")
    default: break
    }
  }

  // MARK: MS-71

  /// Before pickup a driver who is silent for longer than the grace time has lost the order, and so has who does not fetch it.
  @Sendable static func losesSilent(
    _ order: ShownOrder, _ call: SeenCall, _ facts: DispatchFacts, _ judge: inout Judge
  ) {
    guard order.status?.isBeforePickup == true, let last = facts.sightings.last(order.name) else {
      return
    }
    guard let driver = order.driver else {
      if last.record[Order.driver] != nil { judge.held() }
      return
    }
    // Milliseconds on the wire may hide a part of one.
    let latest = call.sent - facts.settings.offlineGrace - .milliseconds(1)
    guard last.record.changeTag == order.record.changeTag, last.from < latest,
      facts.settings.since < last.from
    else { return }
    if order.status == .readyForPickup,
      last.from < call.sent - facts.settings.pickupTimeout - .milliseconds(1)
    {
      return judge.violated(
        "\(order.name) was ready for longer than the time in which \(driver) had to fetch it")
    }
    judge.expect(
      facts.lastSign(of: driver, before: call.answered) >= latest,
      "\(order.name) is still held by \(driver), who has been silent for longer than the grace time"
    )
  }
}
