import Contracts
import KilwinningContract
import Observations
import Timekeeping

/// The offline queue and the widget: KW-123 to KW-126, KW-128, KW-129, KW-132 and KW-140 to KW-143.
enum OfflineChecks {
  static let all: [KWCheck] = queue + synchronising + widget

  private static let queue: [KWCheck] = [
    .device(
      .kw123,
      noted: { note, _, diary, judge in
        guard case .queued(let opID, let owner, let tornata, _, let replaced) = note else { return }
        let older = diary.own(owner).filter { $0.tornata == tornata }.map(\.opID)
        judge.expect(
          older == [replaced].compactMap { $0 } && !diary.usedIDs.contains(opID),
          "\(older.count) entries of tornata \(tornata) wait beside \(opID)")
      }),
    .device(
      .kw124,
      noted: { note, _, diary, judge in
        guard diary.hasNetworkBack, let user = diary.secure.userID, !diary.own(user).isEmpty else {
          return
        }
        switch note {
        case .synchronising, .paused, .stored: judge.held()
        default: judge.violated("the network came back, and nothing was synchronised")
        }
      }),
    .device(
      .kw129,
      noted: { note, _, diary, judge in
        guard case .stored(_, .logout) = note else { return }
        judge.expect(
          diary.discarded != nil, "a logout did not tell what became of the queue")
      }),
    .device(
      .kw132,
      noted: { note, _, diary, judge in
        switch note {
        case .synchronising(let owner, let count), .paused(let owner, let count),
          .discarded(let owner, let count):
          let due = diary.own(owner).count
          judge.expect(count == due, "\(count) entries of \(owner), but \(due) are open")
        default: break
        }
      }),
  ]

  private static let synchronising: [KWCheck] = [
    .device(.kw125) { call, diary, judge in
      guard let run = diary.run else { return }
      switch call.request {
      case .me: judge.expect(run.requests == 0, "the session was verified in the midst of a run")
      case .confirm(let asked):
        let waiting = diary.own(diary.secure.userID)
        judge.expect(
          run.requests > 0 && asked.idempotencyKey == waiting.first?.opID
            && asked.tornataID == waiting.first?.tornata,
          "a run sent something else than its first entry")
      default: break
      }
    },
    .device(
      .kw126,
      noted: { note, _, diary, judge in
        guard case .settled(_, _, let conflict) = note, let last = diary.lastSent else { return }
        judge.expect(
          conflict == nil ? last.isReplied : last.outcome.refusal?.kind == conflict,
          "an entry was settled as \(conflict?.rawValue ?? "applied")")
      },
      { call, diary, judge in
        guard diary.run != nil, case .confirm = call.request, call.attempt > 1,
          let last = diary.lastSent
        else { return }
        let pause = call.intended - last.answered
        judge.expect(
          call.attempt <= 3 && pause >= .seconds(Int64(call.attempt) - 1),
          "attempt \(call.attempt) after \(pause)")
      }),
    .device(.kw128) { call, diary, judge in
      guard diary.run != nil, case .confirm(let asked) = call.request,
        let entry = diary.queue.first(where: {
          $0.opID == asked.idempotencyKey
        })
      else { return }
      judge.expect(
        entry.owner == diary.secure.userID, "an entry of \(entry.owner) was sent by another")
    },
  ]

  private static let widget: [KWCheck] = [
    .device(
      .kw140,
      noted: { note, moment, diary, judge in
        guard case .widgetShows(let view) = note, !view.isStale, !view.isPlaceholder else { return }
        let coming = diary.widget.planned.filter { $0.data > moment.time }
          .sorted { $0.data != $1.data ? $0.data < $1.data : $0.id < $1.id }
        judge.expect(
          view.next.map(\.id) == coming.prefix(3).map(\.id),
          "the widget shows \(view.next.count) of \(coming.count)")
      }),
    .device(
      .kw141,
      noted: { note, moment, diary, judge in
        switch note {
        case .widgetShows(let view):
          guard let next = view.refreshesAt, let first = view.next.first?.data,
            first > moment.time
          else { return }
          judge.expect(next <= first, "the widget sleeps through the start of what it shows")
        case .widgetWakes:
          guard let due = diary.widget.refreshesAt else { return }
          judge.expect(moment.time >= due, "the widget refreshed itself before it was due")
        default: break
        }
      }),
    .device(
      .kw142,
      noted: { note, _, diary, judge in
        guard case .widgetShows(let view) = note, diary.widget.wokeAt != nil, !view.isPlaceholder
        else { return }
        judge.expect(
          diary.widget.requests.map(\.request) == [.tornate(TornateQuery(stato: .programmata))],
          "a refresh asked \(diary.widget.requests.count) things, or others")
      }),
    .device(
      .kw143,
      noted: { note, moment, diary, judge in
        switch note {
        case .widgetWakes:
          judge.expect(diary.secure.userID != nil, "the widget asked without a session")
        case .widgetShows(let view) where view.isStale:
          judge.expect(
            view.next.allSatisfy { $0.data > moment.time }, "a stale widget shows what has begun")
        default: break
        }
      }),
  ]
}
