import Contracts
import Timekeeping

// How a check is said. Each shape sees one class of records, typed, and those of its operations alone; what takes several
// records together is a `history`.

extension Check where Agreement: Observed {
  /// Judges each exchange of some operations by itself.
  public static func each(
    _ limit: LimitID, _ operations: Set<Concern>,
    _ judge: @escaping @Sendable (Agreement.Asked, inout Judge) -> Void
  ) -> Check {
    Check(limit, operations) { library, index in
      let views = library.views
      library.judge(operations) { record, judges in
        guard case .request(let exchange) = record.event else { return }
        let moment = Moment(record)
        judge(views.view(of: exchange, at: moment), &judges[index])
        judges[index].place(moment)
      }
    }
  }

  /// Judges each exchange of some operations in the light of what is known before it; and notes of devices, if it is said
  /// how.
  public static func each<Known: Facts<Agreement>>(
    _ limit: LimitID, _ operations: Set<Concern>, by known: Known.Type,
    noted: (@Sendable (Agreement.Note, Moment, Known, inout Judge) -> Void)? = nil,
    _ judge: @escaping @Sendable (Agreement.Asked, Known, inout Judge) -> Void
  ) -> Check {
    Check(limit, noted == nil ? operations : operations.union([.notes])) { library, index in
      let views = library.views
      let shelf = library.shelf(of: Known.self)
      library.judge(operations) { record, judges in
        guard case .request(let exchange) = record.event else { return }
        let moment = Moment(record)
        let asked = views.view(of: exchange, at: moment)
        shelf.forEach(record) { judge(asked, $0, &judges[index]) }
        judges[index].place(moment)
      }
      guard let noted else { return }
      library.judge([.notes]) { record, judges in
        guard case .note(let note) = record.event else { return }
        let moment = Moment(record)
        shelf.forEach(record) { noted(note, moment, $0, &judges[index]) }
        judges[index].place(moment)
      }
    }
  }

  /// Judges each note of a device by itself.
  public static func note(
    _ limit: LimitID,
    _ judge: @escaping @Sendable (Agreement.Note, Moment, inout Judge) -> Void
  ) -> Check {
    Check(limit, [.notes]) { library, index in
      library.judge([.notes]) { record, judges in
        guard case .note(let note) = record.event else { return }
        let moment = Moment(record)
        judge(note, moment, &judges[index])
        judges[index].place(moment)
      }
    }
  }

  /// Judges each signal that reaches somebody by itself.
  public static func signal(
    _ limit: LimitID,
    _ judge: @escaping @Sendable (Agreement.Signal, Moment, inout Judge) -> Void
  ) -> Check {
    Check(limit, [.signals]) { library, index in
      library.judge([.signals]) { record, judges in
        guard case .signal(let signal) = record.event else { return }
        let moment = Moment(record)
        judge(signal, moment, &judges[index])
        judges[index].place(moment)
      }
    }
  }

  /// Judges each signal that reaches somebody in the light of what is known before it.
  public static func signal<Known: Facts<Agreement>>(
    _ limit: LimitID, by known: Known.Type,
    _ judge: @escaping @Sendable (Agreement.Signal, Moment, Known, inout Judge) -> Void
  ) -> Check {
    Check(limit, [.signals]) { library, index in
      let shelf = library.shelf(of: Known.self)
      library.judge([.signals]) { record, judges in
        guard case .signal(let signal) = record.event else { return }
        let moment = Moment(record)
        shelf.forEach(record) { judge(signal, moment, $0, &judges[index]) }
        judges[index].place(moment)
      }
    }
  }

  /// Judges each command that was carried out, with what came of it.
  public static func command(
    _ limit: LimitID,
    _ judge: @escaping @Sendable (Agreement.Command, Agreement.Reply, inout Judge) -> Void
  ) -> Check {
    Check(limit, [.controls]) { library, index in
      library.judge([.controls]) { record, judges in
        guard case .control(let request, .replied(let reply)) = record.event,
          let command = Agreement.command(in: request)
        else { return }
        judge(command, reply, &judges[index])
        judges[index].place(Moment(record))
      }
    }
  }

  /// Judges what inspection shows, at exchange points and at the end.
  public static func census(
    _ limit: LimitID, _ judge: @escaping @Sendable (Agreement.Shown, inout Judge) -> Void
  ) -> Check {
    Check(limit, [.inspections]) { library, index in
      library.judge([.inspections]) { record, judges in
        guard let shown = record.shown else { return }
        judge(shown, &judges[index])
        judges[index].place(Moment(record))
      }
    }
  }

  /// Judges what inspection shows in the light of what is known before it.
  public static func census<Known: Facts<Agreement>>(
    _ limit: LimitID, by known: Known.Type,
    _ judge: @escaping @Sendable (Agreement.Shown, Moment, Known, inout Judge) -> Void
  ) -> Check {
    Check(limit, [.inspections]) { library, index in
      let shelf = library.shelf(of: Known.self)
      library.judge([.inspections]) { record, judges in
        guard let shown = record.shown else { return }
        let moment = Moment(record)
        shelf.forEach(record) { judge(shown, moment, $0, &judges[index]) }
        judges[index].place(moment)
      }
    }
  }

  /// Judges what facts tell of, once it has ripened, in the light of what is known then.
  public static func ripe<Known: Facts<Agreement>>(
    _ limit: LimitID, of known: Known.Type,
    _ judge: @escaping @Sendable ([Known.Ripe], Known, inout Judge) -> Void
  ) -> Check {
    Check(limit, Known.concerns) { library, index in
      library.shelf(of: Known.self).judgeRipe(index, in: library, judge)
    }
  }
}

extension Exchange {
  public var isReplied: Bool { outcome.isReplied }
  public var isUnknown: Bool { if case .unknown = outcome { true } else { false } }

  /// From the moment at which the request left to the moment at which its effect was certain to be over; an unknown
  /// request may still work later.
  public var during: ClosedRange<Instant> {
    sent...(isUnknown ? .distantFuture : max(sent, answered))
  }
}
