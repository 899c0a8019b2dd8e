import Contracts
import Timekeeping

// How a check is said. Each shape sees one class of records, typed, and those of its operations alone; what takes several
// records together is a `history`.

extension Check where Contract: Observed {
  /// Judges each call of some operations by itself.
  public static func each(
    _ rule: Contract.Rule, _ operations: Set<Concern>,
    _ judge: @escaping @Sendable (Contract.Asked, inout Judge) -> Void
  ) -> Check {
    Check(rule, operations) { library, index in
      library.look()
      library.judge(operations) { sight, view in
        guard let asked = Contract.asked(in: view) else { return }
        judge(asked, &sight.judges[index])
        sight.judges[index].locate(sight.moment)
      }
    }
  }

  /// Judges each call of some operations in the light of what is known before it; and notes of devices, if it is said
  /// how.
  public static func each<Known: Facts<Contract>>(
    _ rule: Contract.Rule, _ operations: Set<Concern>, by known: Known.Type,
    noted: (@Sendable (Contract.Note, Moment, Known, inout Judge) -> Void)? = nil,
    _ judge: @escaping @Sendable (Contract.Asked, Known, inout Judge) -> Void
  ) -> Check {
    Check(rule, noted == nil ? operations : operations.union([.notes])) { library, index in
      library.look()
      let shelf = library.shelf(of: Known.self)
      library.judge(operations) { sight, view in
        guard let asked = Contract.asked(in: view) else { return }
        shelf.forEach(sight) { judge(asked, $0, &sight.judges[index]) }
        sight.judges[index].locate(sight.moment)
      }
      guard let noted else { return }
      library.judge([.notes]) { sight, _ in
        guard let note = sight.note else { return }
        let moment = sight.moment
        shelf.forEach(sight) { noted(note, moment, $0, &sight.judges[index]) }
        sight.judges[index].locate(moment)
      }
    }
  }

  /// Judges each note of a device by itself.
  public static func note(
    _ rule: Contract.Rule,
    _ judge: @escaping @Sendable (Contract.Note, Moment, inout Judge) -> Void
  ) -> Check {
    Check(rule, [.notes]) { library, index in
      library.judge([.notes]) { sight, _ in
        guard let note = sight.note else { return }
        let moment = sight.moment
        judge(note, moment, &sight.judges[index])
        sight.judges[index].locate(moment)
      }
    }
  }

  /// Judges each signal that reaches somebody by itself.
  public static func signal(
    _ rule: Contract.Rule,
    _ judge: @escaping @Sendable (Contract.Signal, Moment, inout Judge) -> Void
  ) -> Check {
    Check(rule, [.signals]) { library, index in
      library.judge([.signals]) { sight, _ in
        guard let signal = sight.signal else { return }
        let moment = sight.moment
        judge(signal, moment, &sight.judges[index])
        sight.judges[index].locate(moment)
      }
    }
  }

  /// Judges each signal that reaches somebody in the light of what is known before it.
  public static func signal<Known: Facts<Contract>>(
    _ rule: Contract.Rule, by known: Known.Type,
    _ judge: @escaping @Sendable (Contract.Signal, Moment, Known, inout Judge) -> Void
  ) -> Check {
    Check(rule, [.signals]) { library, index in
      let shelf = library.shelf(of: Known.self)
      library.judge([.signals]) { sight, _ in
        guard let signal = sight.signal else { return }
        let moment = sight.moment
        shelf.forEach(sight) { judge(signal, moment, $0, &sight.judges[index]) }
        sight.judges[index].locate(moment)
      }
    }
  }

  /// Judges each command that was carried out, with what came of it.
  public static func command(
    _ rule: Contract.Rule,
    _ judge: @escaping @Sendable (Contract.Command, Contract.Reply, inout Judge) -> Void
  ) -> Check {
    Check(rule, [.controls]) { library, index in
      library.judge([.controls]) { sight, _ in
        guard let (request, reply) = sight.command,
          let command = Contract.command(in: request)
        else { return }
        judge(command, reply, &sight.judges[index])
        sight.judges[index].locate(sight.moment)
      }
    }
  }

  /// Judges what inspection shows, at barriers and at the end.
  public static func census(
    _ rule: Contract.Rule, _ judge: @escaping @Sendable (Contract.Shown, inout Judge) -> Void
  ) -> Check {
    Check(rule, [.inspections]) { library, index in
      let views = library.views
      library.judge([.inspections]) { sight, _ in
        guard let shown = views.shown(at: sight) else { return }
        judge(shown, &sight.judges[index])
        sight.judges[index].locate(sight.moment)
      }
    }
  }

  /// Judges what inspection shows in the light of what is known before it.
  public static func census<Known: Facts<Contract>>(
    _ rule: Contract.Rule, by known: Known.Type,
    _ judge: @escaping @Sendable (Contract.Shown, Moment, Known, inout Judge) -> Void
  ) -> Check {
    Check(rule, [.inspections]) { library, index in
      let shelf = library.shelf(of: Known.self)
      let views = library.views
      library.judge([.inspections]) { sight, _ in
        guard let shown = views.shown(at: sight) else { return }
        let moment = sight.moment
        shelf.forEach(sight) { judge(shown, moment, $0, &sight.judges[index]) }
        sight.judges[index].locate(moment)
      }
    }
  }

  /// Judges what facts tell of, once it has ripened, in the light of what is known then.
  public static func ripe<Known: Facts<Contract>>(
    _ rule: Contract.Rule, of known: Known.Type,
    _ judge: @escaping @Sendable ([Known.Ripe], Known, inout Judge) -> Void
  ) -> Check {
    Check(rule, Known.concerns) { library, index in
      library.shelf(of: Known.self).judgeRipe(index, in: library, judge)
    }
  }
}

extension Check {
  /// Judges each record of some classes by itself, as it was recorded.
  public static func record(
    _ rule: Contract.Rule, _ concerns: Set<Concern>,
    _ judge: @escaping @Sendable (Record<Contract>, inout Judge) -> Void
  ) -> Check {
    Check(rule, concerns) { library, index in
      library.judge(concerns) { sight, _ in
        guard let record = sight.record else { return }
        judge(record, &sight.judges[index])
        sight.judges[index].locate(sight.moment)
      }
    }
  }
}

extension Call {
  public var isReplied: Bool { outcome.isReplied }
  public var isUnknown: Bool { if case .unknown = outcome { true } else { false } }

  /// From the moment at which the request left to the moment at which its effect was certain to be over; an unknown
  /// request may still work later.
  public var during: ClosedRange<Instant> {
    sent...(isUnknown ? .distantFuture : max(sent, answered))
  }
}
