import Contracts
import Timekeeping

/// Judges all records of one cell, one person or one thing of the domain together. It sees them in the order in which
/// their outcomes became known to the region, so two requests may overlap and may be seen in either order: it goes by
/// their intervals.
///
/// It says what it is about (`scope`) and handles those classes of records that it wants to see:
///
///     private struct Phases: History {
///       static let scope = Scope<KantineKoning>.person
///       private var phase: Phase?
///       mutating func noted(_ note: KantineKoning.Note, at moment: Moment, _ judge: inout Judge) { … }
///     }
///
///     .history(.kk33, [.notes], Phases.init)
///     .history(.kk76, concerns, by: CellFacts.self, RepairedOrphans.init)  // init(_ facts: CellFacts)
public protocol History<Agreement>: SendableMetatype {
  associatedtype Agreement: Observed
  /// What there is one of them for.
  static var scope: Scope<Agreement> { get }
  /// Whether the facts that it goes by are as they were before the record that it judges, or with it.
  static var standpoint: Standpoint { get }

  mutating func asked(_ exchange: Agreement.Asked, at moment: Moment, _ judge: inout Judge)
  mutating func noted(_ note: Agreement.Note, at moment: Moment, _ judge: inout Judge)
  mutating func signalled(_ signal: Agreement.Signal, at moment: Moment, _ judge: inout Judge)
  /// A command that was carried out.
  mutating func commanded(_ command: Agreement.Command, at moment: Moment, _ judge: inout Judge)
  mutating func inspected(_ shown: Agreement.Shown, at moment: Moment, _ judge: inout Judge)
  /// The run has ended; what is still open is judged or left open here.
  mutating func ended(at instant: Instant, _ judge: inout Judge)
}

extension History {
  public static var standpoint: Standpoint { .before }

  public mutating func asked(
    _ exchange: Agreement.Asked, at moment: Moment, _ judge: inout Judge
  ) {}
  public mutating func noted(_ note: Agreement.Note, at moment: Moment, _ judge: inout Judge) {}
  public mutating func signalled(
    _ signal: Agreement.Signal, at moment: Moment, _ judge: inout Judge
  ) {}
  public mutating func commanded(
    _ command: Agreement.Command, at moment: Moment, _ judge: inout Judge
  ) {}
  public mutating func inspected(
    _ shown: Agreement.Shown, at moment: Moment, _ judge: inout Judge
  ) {}
  public mutating func ended(at instant: Instant, _ judge: inout Judge) {}
}

extension Check where Agreement: Observed {
  /// Judges all records of one cell, one person or one thing together.
  public static func history<Story: History<Agreement>>(
    _ limit: LimitID, _ concerns: Set<Concern>, _ start: @escaping @Sendable () -> Story
  ) -> Check {
    history(limit, concerns, by: Nothing<Agreement>.self) { _ in start() }
  }

  /// The same in the light of facts that are lent to it.
  public static func history<Story: History<Agreement>, Known: Knowledge<Agreement>>(
    _ limit: LimitID, _ concerns: Set<Concern>, by known: Known.Type,
    _ start: @escaping @Sendable (Known) -> Story
  ) -> Check {
    Check(limit, concerns) { library, index in
      let lender = Known.lender(in: library, to: Story.scope)
      Histories(of: index, in: library, concerns) { (owner: Owner) -> Story in
        start(lender.lend(owner))
      }
    }
  }
}

/// The histories of one check in one region, in the order in which they began.
private final class Histories<Story: History> {
  typealias Agreement = Story.Agreement

  private let index: Int
  private let locator: Locator<Agreement>
  private let begin: (Owner) -> Story
  private var all = Numbered<Story>()

  @discardableResult
  init(
    of index: Int, in library: Library<Agreement>, _ concerns: Set<Concern>,
    _ begin: @escaping (Owner) -> Story
  ) {
    self.index = index
    self.begin = begin
    locator = Locator(Story.scope, in: library)
    let views = library.views
    for concern in concerns {
      library.judge([concern], Story.standpoint, visit(of: concern, views))
    }
    library.atEnd { [self] instant, judges in
      for place in all.values.indices {
        all.values[place].ended(at: instant, &judges[self.index])
      }
      judges[self.index].place(Moment(time: instant, person: nil, cell: 0))
    }
  }

  /// One for each class of records, made where the kind of history is known: none asks what a record is.
  private func visit(
    of concern: Concern, _ views: Views<Agreement>
  ) -> Library<Agreement>.Visit {
    switch concern {
    case .operation:
      return { [self] record, judges in
        guard case .request(let exchange) = record.event else { return }
        let asked = views.view(of: exchange, at: Moment(record))
        forEach(record, &judges) { $0.asked(asked, at: $1, &$2) }
      }
    case .notes:
      return { [self] record, judges in
        guard case .note(let note) = record.event else { return }
        forEach(record, &judges) { $0.noted(note, at: $1, &$2) }
      }
    case .signals:
      return { [self] record, judges in
        guard case .signal(let signal) = record.event else { return }
        forEach(record, &judges) { $0.signalled(signal, at: $1, &$2) }
      }
    case .controls:
      return { [self] record, judges in
        guard let command = record.command else { return }
        forEach(record, &judges) { $0.commanded(command, at: $1, &$2) }
      }
    case .inspections:
      return { [self] record, judges in
        guard let shown = record.shown else { return }
        forEach(record, &judges) { $0.inspected(shown, at: $1, &$2) }
      }
    }
  }

  private func forEach(
    _ record: Record<Agreement>, _ judges: inout [Judge],
    _ body: (inout Story, Moment, inout Judge) -> Void
  ) {
    let moment = Moment(record)
    locator.forEach(record) { owner in
      let place = all.place(of: owner.number) { begin(owner) }
      body(&all.values[place], moment, &judges[index])
    }
    judges[index].place(moment)
  }
}
