import Contracts
import Timekeeping

/// Judges all records of one cell, one person or one thing of the domain together. It sees them in the order in which
/// their outcomes became known to the region, so two requests may overlap and may be seen in either order: it goes by
/// their intervals.
///
/// It says what it is about (`scope`) and handles those classes of records that it wants to see:
///
///     private struct Phases: History {
///       static let scope = Scope<Canteen>.person
///       private var phase: Phase?
///       mutating func noted(_ note: Canteen.Note, at moment: Moment, _ judge: inout Judge) { … }
///     }
///
///     .history("CA-33", [.notes], Phases.init)
///     .history("CA-76", concerns, by: CellFacts.self, RepairedOrphans.init)  // init(_ facts: CellFacts)
public protocol History<Contract>: SendableMetatype {
  associatedtype Contract: Observed
  /// What there is one of them for.
  static var scope: Scope<Contract> { get }
  /// Whether the facts that it goes by are as they were before the record that it judges, or with it.
  static var standpoint: Standpoint { get }

  mutating func asked(_ call: Contract.Asked, at moment: Moment, _ judge: inout Judge)
  mutating func noted(_ note: Contract.Note, at moment: Moment, _ judge: inout Judge)
  mutating func signalled(_ signal: Contract.Signal, at moment: Moment, _ judge: inout Judge)
  /// A command that was carried out.
  mutating func commanded(_ command: Contract.Command, at moment: Moment, _ judge: inout Judge)
  mutating func inspected(_ shown: Contract.Shown, at moment: Moment, _ judge: inout Judge)
  /// The run has ended; what is still open is judged or left open here.
  mutating func ended(at instant: Instant, _ judge: inout Judge)
}

extension History {
  public static var standpoint: Standpoint { .before }

  public mutating func asked(
    _ call: Contract.Asked, at moment: Moment, _ judge: inout Judge
  ) {}
  public mutating func noted(_ note: Contract.Note, at moment: Moment, _ judge: inout Judge) {}
  public mutating func signalled(
    _ signal: Contract.Signal, at moment: Moment, _ judge: inout Judge
  ) {}
  public mutating func commanded(
    _ command: Contract.Command, at moment: Moment, _ judge: inout Judge
  ) {}
  public mutating func inspected(
    _ shown: Contract.Shown, at moment: Moment, _ judge: inout Judge
  ) {}
  public mutating func ended(at instant: Instant, _ judge: inout Judge) {}
}

extension Check where Contract: Observed {
  /// Judges all records of one cell, one person or one thing together.
  public static func history<Story: History<Contract>>(
    _ rule: Contract.Rule, _ concerns: Set<Concern>, _ start: @escaping @Sendable () -> Story
  ) -> Check {
    history(rule, concerns, by: Nothing<Contract>.self) { _ in start() }
  }

  /// The same in the light of facts that are lent to it.
  public static func history<Story: History<Contract>, Known: Knowledge<Contract>>(
    _ rule: Contract.Rule, _ concerns: Set<Concern>, by known: Known.Type,
    _ start: @escaping @Sendable (Known) -> Story
  ) -> Check {
    Check(rule, concerns) { library, index in
      let lender = Known.lender(in: library, to: Story.scope)
      Histories(of: index, in: library, concerns) { (owner: Owner) -> Story in
        start(lender.lend(owner))
      }
    }
  }
}

/// The histories of one check in one region, in the order in which they began.
private final class Histories<Story: History> {
  typealias Contract = Story.Contract

  private let seat: Seat
  private let locator: Locator<Contract>
  private let begin: (Owner) -> Story
  private var all = Numbered<Story>()

  @discardableResult
  init(
    of index: Int, in library: Library<Contract>, _ concerns: Set<Concern>,
    _ begin: @escaping (Owner) -> Story
  ) {
    seat = library.seats[index]
    self.begin = begin
    locator = Locator(Story.scope, in: library)
    library.look()
    library.keep(Story.scope)
    for concern in concerns { visit(concern, in: library) }
    library.atEnd { [self] instant in
      seat.decide(at: Moment(time: instant, person: nil, cell: 0)) { judge in
        for place in all.values.indices { all.values[place].ended(at: instant, &judge) }
      }
    }
  }

  /// One closure for each class of records, made where the kind of history is known: none asks what a record is.
  private func visit(_ concern: Concern, in library: Library<Contract>) {
    let (standpoint, views) = (Story.standpoint, library.views)
    switch concern {
    case .operation:
      library.judge([concern], standpoint) { [self] sight, view in
        guard let asked = Contract.asked(in: view) else { return }
        forEach(sight) { $0.asked(asked, at: $1, &$2) }
      }
    case .notes:
      library.judgeNotes(standpoint) { [self] note, sight in
        forEach(sight) { $0.noted(note, at: $1, &$2) }
      }
    case .signals:
      library.judge([concern], standpoint) { [self] sight, _ in
        guard let signal = sight.signal else { return }
        forEach(sight) { $0.signalled(signal, at: $1, &$2) }
      }
    case .controls:
      library.judge([concern], standpoint) { [self] sight, _ in
        guard let command = views.command(at: sight) else { return }
        forEach(sight) { $0.commanded(command, at: $1, &$2) }
      }
    case .inspections:
      library.judge([concern], standpoint) { [self] sight, _ in
        guard let shown = views.shown(at: sight) else { return }
        forEach(sight) { $0.inspected(shown, at: $1, &$2) }
      }
    }
  }

  @inline(__always)
  private func forEach(
    _ sight: Sight<Contract>, _ body: (inout Story, Moment, inout Judge) -> Void
  ) {
    let moment = sight.moment
    seat.decide(at: moment) { judge in
      locator.forEach(sight) { owner in
        let place = all.place(of: owner.number) { begin(owner) }
        body(&all.values[place], moment, &judge)
      }
    }
  }
}
