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
      let seat = library.seats[index]
      library.look()
      library.judge(operations) { sight, view in
        guard let asked = Contract.asked(in: view) else { return }
        seat.decide(at: sight.moment) { judge(asked, &$0) }
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
      let (seat, sight) = (library.seats[index], library.sight)
      let shelf = library.shelf(of: Known.self)
      shelf.judge(operations, in: library) { asked, known in
        seat.decide(at: sight.moment) { judge(asked, known, &$0) }
      }
      guard let noted else { return }
      shelf.judgeNotes(in: library) { note, known in
        let moment = sight.moment
        seat.decide(at: moment) { noted(note, moment, known, &$0) }
      }
    }
  }

  /// Judges each note of a device by itself.
  public static func note(
    _ rule: Contract.Rule,
    _ judge: @escaping @Sendable (Contract.Note, Moment, inout Judge) -> Void
  ) -> Check {
    Check(rule, [.notes]) { library, index in
      let seat = library.seats[index]
      library.judgeNotes { note, sight in
        let moment = sight.moment
        seat.decide(at: moment) { judge(note, moment, &$0) }
      }
    }
  }

  /// Judges each signal that reaches somebody by itself.
  public static func signal(
    _ rule: Contract.Rule,
    _ judge: @escaping @Sendable (Contract.Signal, Moment, inout Judge) -> Void
  ) -> Check {
    Check(rule, [.signals]) { library, index in
      let seat = library.seats[index]
      library.judge([.signals]) { sight, _ in
        guard let signal = sight.signal else { return }
        let moment = sight.moment
        seat.decide(at: moment) { judge(signal, moment, &$0) }
      }
    }
  }

  /// Judges each signal that reaches somebody in the light of what is known before it.
  public static func signal<Known: Facts<Contract>>(
    _ rule: Contract.Rule, by known: Known.Type,
    _ judge: @escaping @Sendable (Contract.Signal, Moment, Known, inout Judge) -> Void
  ) -> Check {
    Check(rule, [.signals]) { library, index in
      let seat = library.seats[index]
      let shelf = library.shelf(of: Known.self)
      library.judge([.signals]) { sight, _ in
        guard let signal = sight.signal else { return }
        let moment = sight.moment
        seat.decide(at: moment) { verdict in
          shelf.forEach(sight) { judge(signal, moment, $0, &verdict) }
        }
      }
    }
  }

  /// Judges each command that was carried out, with what came of it.
  public static func command(
    _ rule: Contract.Rule,
    _ judge: @escaping @Sendable (Contract.Command, Contract.Reply, inout Judge) -> Void
  ) -> Check {
    Check(rule, [.controls]) { library, index in
      let seat = library.seats[index]
      library.judge([.controls]) { sight, _ in
        guard let (request, outcome) = sight.control, case .replied(let reply) = outcome,
          let command = Contract.command(in: request)
        else { return }
        seat.decide(at: sight.moment) { judge(command, reply, &$0) }
      }
    }
  }

  /// Judges what inspection shows, at barriers and at the end.
  public static func census(
    _ rule: Contract.Rule, _ judge: @escaping @Sendable (Contract.Shown, inout Judge) -> Void
  ) -> Check {
    Check(rule, [.inspections]) { library, index in
      let (seat, views) = (library.seats[index], library.views)
      library.judge([.inspections]) { sight, _ in
        guard let shown = views.shown(at: sight) else { return }
        seat.decide(at: sight.moment) { judge(shown, &$0) }
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
      let (seat, views) = (library.seats[index], library.views)
      library.judge([.inspections]) { sight, _ in
        guard let shown = views.shown(at: sight) else { return }
        let moment = sight.moment
        seat.decide(at: moment) { verdict in
          shelf.forEach(sight) { judge(shown, moment, $0, &verdict) }
        }
      }
    }
  }

  /// Judges each thing that facts tell of, once it has ripened, in the light of what is known then.
  /// - Parameter sorts: Those that it wants to see (`Facts.sort`); `nil`: all.
  public static func ripe<Known: Facts<Contract>>(
    _ rule: Contract.Rule, of known: Known.Type, sorts: Set<Int>? = nil,
    _ judge: @escaping @Sendable (Known.Ripe, Known, inout Judge) -> Void
  ) -> Check {
    Check(rule, Known.concerns) { library, index in
      let (seat, sight) = (library.seats[index], library.sight)
      library.shelf(of: Known.self).judgeRipe(sorts) { ripe, known in
        seat.decide(at: Known.moment(of: ripe) ?? sight.moment) { judge(ripe, known, &$0) }
      }
    }
  }
}

extension Check {
  /// Judges each command by itself, refused ones included.
  public static func control(
    _ rule: Contract.Rule,
    _ judge: @escaping @Sendable (Contract.Request, Outcome<Contract>, inout Judge) -> Void
  ) -> Check {
    Check(rule, [.controls]) { library, index in
      let seat = library.seats[index]
      library.judge([.controls]) { sight, _ in
        guard let (request, outcome) = sight.control else { return }
        seat.decide(at: sight.moment) { judge(request, outcome, &$0) }
      }
    }
  }
}

extension Call {
  public var isReplied: Bool { outcome.isReplied }
  public var isUnknown: Bool { if case .unknown = outcome { true } else { false } }

  /// It was granted, or nobody knows: it may have changed something.
  public var mayHaveWorked: Bool { isReplied || isUnknown }

  /// When it worked, if it did; a backend that does not answer acts within a minute or not at all.
  public var working: ClosedRange<Instant> {
    sent...(isReplied ? answered : answered + .minutes(1))
  }

  /// From the moment at which the request left to the moment at which its effect was certain to be over; an unknown
  /// request may still work later.
  public var during: ClosedRange<Instant> {
    sent...(isUnknown ? .distantFuture : max(sent, answered))
  }
}
