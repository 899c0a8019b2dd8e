import Contracts
import MimiSupplyContract
import Timekeeping

// What happens by itself: the market's timers, retention at local midnight, polls and late answers.
extension MimiSupplyTwin {
  public var nextDue: Instant? {
    // It is asked several times a request: no array is made for it.
    var earliest = Self.earlier(market.nextDue, Self.earlier(retentionDue, pushQueues.nextDue))
    for answer in delayed { earliest = Self.earlier(earliest, answer.due) }
    return earliest
  }

  private static func earlier(_ a: Instant?, _ b: Instant?) -> Instant? {
    guard let a, let b else { return a ?? b }
    return min(a, b)
  }

  public mutating func advance(to now: Instant) -> Effects<MimiSupply> {
    work = Work()
    audit.appVersion = nil
    catchUp(to: now)
    return takeEffects()
  }

  /// At equal instants timers run before requests from outside (§6.6).
  mutating func catchUp(to now: Instant) {
    while let due = nextDue, due <= now { step(to: due) }
  }

  /// At one instant the market comes first, then retention; who waits is answered last.
  private mutating func step(to due: Instant) {
    while let timer = market.nextDue, timer <= due { fire(at: timer) }
    if let retention = retentionDue, retention <= due {
      retain(at: retention)
      retentionDue = nextMidnight(after: retention)
    }
    for answer in delayed where answer.due <= due {
      effects.completions.append(Completion(answer.ticket, answer.result))
    }
    delayed.removeAll { $0.due <= due }
    for ticket in pushQueues.takeOverdue(at: due) {
      effects.completions.append(
        Completion(ticket, .success(MimiSupply.Reply(.notifications([]), csn: csn))))
    }
  }

  private mutating func fire(at due: Instant) {
    // The market names what it makes by the commit that is to come.
    market.csn = csn + 1
    let changes = market.fire(on: shelf, at: due)
    if !changes.isEmpty { commit(changes, by: .system, cause: .timer, at: due) }
  }

  // MARK: Retention (MS-114)

  func nextMidnight(after now: Instant) -> Instant {
    // Beyond the last moment that the wire knows there is no calendar to go by.
    guard now.unixMilliseconds < Bounds.moments.upperBound else { return .distantFuture }
    let zone = market.settings.zone
    let today = zone.civil(at: now).date
    return zone.instant(CivilDate(daysSinceEpoch: today.daysSinceEpoch + 1))
  }

  /// Before anything has happened there is nothing to keep.
  mutating func scheduleRetention(after now: Instant) {
    if retentionDue == nil { retentionDue = nextMidnight(after: now) }
  }

  private mutating func retain(at now: Instant) {
    limiter.prune(window: settings.rateWindow, at: now)
    files.prune(at: now)
    accounts.nonces = accounts.nonces.filter { now < $0.value }
    guard rules.binds(.ms114) else { return }
    let kept = settings.retention
    audit.removeAll(before: now - kept.audit)
    accounts.sessions = accounts.sessions.filter { now - kept.temporary < $0.value.expiresAt }
    var gone: [Change] = []
    let classes: [(type: RecordType, age: Span)] = [
      (.driverLocation, kept.temporary), (.driverOffer, kept.temporary),
      (.deliveryCompletion, kept.contract), (.order, kept.contract),
    ]
    for (type, age) in classes {
      for name in shelf.names(of: type) {
        guard let record = shelf.record(name), record.created.timestamp < now - age,
          !(type == .order && record.status?.isActive == true),
          !(type == .driverOffer && record[DriverOffer.state] == "offered")
        else { continue }
        gone.append(Change(from: record, to: nil))
      }
    }
    if !gone.isEmpty { commit(gone, by: .system, cause: .timer, at: now) }
  }
}
