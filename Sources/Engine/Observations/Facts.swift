import Contracts
import Timekeeping

/// What is certain about one cell, one person or one thing of the domain from the records so far.
///
/// Many rules are judged by the same knowledge: each kind is gathered once a region and lent by reference, to checks, to
/// histories and to other facts. Whoever judges a record sees them as they were before it, facts that go by others see
/// those as they are with it.
///
///     final class AccessFacts: Facts {
///       static let concerns: Set<Concern> = [.operation(3)]
///       private let accounts: AccountFacts
///       init(_ subject: Subject<AccountFacts>) { accounts = subject.known }
///       func asked(_ call: Canteen.Asked, at moment: Moment) { … accounts.role(of: call) … }
///     }
///
/// A conforming class is final, and lends itself to nobody outside its region.
public protocol Facts<Contract>: Knowledge, AnyObject {
  /// The facts that they go by: another kind, or `Both` of two. Their scope is the same, or a wider one.
  associatedtype Known: Knowledge<Contract> = Nothing<Contract>
  /// What they tell of once it can be judged; see `Ripening`.
  associatedtype Ripe = Never
  /// How many sorts there are of what they tell of, and of which one something is: who judges one sort is not shown the others.
  static var sorts: Int { get }
  static func sort(of ripe: Ripe) -> Int
  /// When and by whom was seen what it is about; `nil`: with the record that ripened it, or the run's end.
  static func moment(of ripe: Ripe) -> Moment?
  /// What there is one of them for.
  static var scope: Scope<Contract> { get }
  /// The records that can change them; others never reach them.
  static var concerns: Set<Concern> { get }

  init(_ subject: Subject<Known>)

  func asked(_ call: Contract.Asked, at moment: Moment)
  /// A fault of the scenario had a call arrive twice, and nobody heard what the second did; just before `asked` is told how the first went.
  /// Facts about what a backend holds learn of it; those about a device, which was answered once, do not.
  func askedAgain(_ unheard: Contract.Asked, at moment: Moment)
  func noted(_ note: Contract.Note, at moment: Moment)
  func signalled(_ signal: Contract.Signal, at moment: Moment)
  /// A command that was carried out.
  func commanded(_ command: Contract.Command, at moment: Moment)
  func inspected(_ shown: Contract.Shown, at moment: Moment)

  var ripening: Ripening<Ripe> { get set }
}

extension Facts {
  public static var scope: Scope<Contract> { .cell }
  public static var sorts: Int { 1 }
  public static func sort(of ripe: Ripe) -> Int { 0 }
  public static func moment(of ripe: Ripe) -> Moment? { nil }

  public func asked(_ call: Contract.Asked, at moment: Moment) {}
  public func askedAgain(_ unheard: Contract.Asked, at moment: Moment) {}
  public func noted(_ note: Contract.Note, at moment: Moment) {}
  public func signalled(_ signal: Contract.Signal, at moment: Moment) {}
  public func commanded(_ command: Contract.Command, at moment: Moment) {}
  public func inspected(_ shown: Contract.Shown, at moment: Moment) {}
}

extension Facts where Ripe == Never {
  public var ripening: Ripening<Never> {
    get { Ripening() }
    set {}
  }
}

/// What facts or a history begin with.
public struct Subject<Known: Knowledge> {
  /// What is lent to them.
  public let known: Known
  /// The key, where they are about one thing of the domain.
  public let name: String
  public let cell: Int

  public init(_ known: Known, name: String = "", cell: Int = 0) {
    self.known = known
    self.name = name
    self.cell = cell
  }
}

// MARK: - Lending

/// What can be lent: one kind of facts, both of two, or nothing.
public protocol Knowledge<Contract>: SendableMetatype {
  associatedtype Contract: Observed
  /// Who lends it in a region to those of a scope.
  static func lender(in library: Library<Contract>, to scope: Scope<Contract>)
    -> Lender<Contract, Self>
}

/// Lends knowledge of one kind to whom it belongs.
public struct Lender<Contract: Observed, Known> {
  let lend: (Owner) -> Known
}

public struct Nothing<Contract: Observed>: Knowledge {
  public init() {}

  public static func lender(
    in library: Library<Contract>, to scope: Scope<Contract>
  ) -> Lender<Contract, Self> { Lender { _ in Nothing() } }
}

/// Knowledge of two kinds.
public struct Both<First: Knowledge, Second: Knowledge>: Knowledge
where First.Contract == Second.Contract {
  public typealias Contract = First.Contract
  public let first: First
  public let second: Second

  public init(_ first: First, _ second: Second) {
    self.first = first
    self.second = second
  }

  public static func lender(
    in library: Library<Contract>, to scope: Scope<Contract>
  ) -> Lender<Contract, Self> {
    let first = First.lender(in: library, to: scope)
    let second = Second.lender(in: library, to: scope)
    return Lender { Both(first.lend($0), second.lend($0)) }
  }
}

extension Facts {
  public static func lender(
    in library: Library<Contract>, to scope: Scope<Contract>
  ) -> Lender<Contract, Self> {
    guard scope.isWithin(Self.scope) else {
      programFault("the facts \(Self.self) are lent to a scope that is wider than their own")
    }
    let shelf = library.shelf(of: Self.self)
    return Lender { shelf.facts(of: $0) }
  }
}

/// The facts of one kind in one region.
final class Shelf<Known: Facts> {
  typealias Contract = Known.Contract
  let locator: Locator<Contract>
  private let lender: Lender<Contract, Known.Known>
  private var all = Numbered<Known>()
  /// Who judges calls in their light, by class of records; those of one class find them once.
  private var asking: [Chain<AskedStep<Known>>?]
  private let noting = Chain<LitStep<Contract.Note, Known>>()
  /// Who judges what has ripened, by its sort.
  private let ripe = (0..<Known.sorts).map { _ in Chain<LitStep<Known.Ripe, Known>>() }

  init(in library: Library<Contract>) {
    locator = Locator(Known.scope, in: library)
    lender = Known.Known.lender(in: library, to: Known.scope)
    asking = Array(repeating: nil, count: library.classes.count)
    let views = library.views
    let ripens = Known.Ripe.self != Never.self
    // Closures made here, where the kind of facts is known: a class that overrides a method would look types up in every
    // call.
    if ripens {
      library.judge(Known.concerns) { [self] sight, _ in
        let now = sight.moment.time
        forEach(sight) { judgeRipe(of: $0, at: now) }
      }
      library.atEnd { [self] end in
        for facts in all.values { judgeRipe(of: facts, at: end) }
      }
    }
    library.look()
    library.keep(Known.scope)
    gatherAgain(in: library)
    library.gather(Known.concerns) { [self] sight, view in
      let moment = sight.moment
      locator.forEach(sight) { owner in
        let facts = place(of: owner)
        if let asked = Contract.asked(in: view) {
          facts.asked(asked, at: moment)
          return
        }
        if let note = sight.note {
          facts.noted(note, at: moment)
        } else if let signal = sight.signal {
          facts.signalled(signal, at: moment)
        } else if let command = views.command(at: sight) {
          facts.commanded(command, at: moment)
        } else if let shown = views.shown(at: sight) {
          facts.inspected(shown, at: moment)
        }
      }
    }
  }

  /// What had ripened by then is judged before they learn of it, too.
  private func gatherAgain(in library: Library<Contract>) {
    library.gatherAgain(Known.concerns) { [self] sight, view in
      guard let unheard = Contract.asked(in: view) else { return }
      let moment = sight.moment
      forEach(sight) { facts in
        judgeRipe(of: facts, at: moment.time)
        facts.askedAgain(unheard, at: moment)
      }
    }
  }

  /// Those of the owner's that belongs to this scope or to one within it.
  func facts(of owner: Owner) -> Known {
    let number = locator.number(of: owner)
    return place(of: Owner(cell: owner.cell, person: owner.person, number: number))
  }

  @inline(__always)
  func forEach(_ sight: Sight<Contract>, _ body: (Known) -> Void) {
    locator.forEach(sight) { body(place(of: $0)) }
  }

  private func place(of owner: Owner) -> Known {
    let place = all.place(of: owner.number) {
      Known(
        Subject(lender.lend(owner), name: locator.name(of: owner.number), cell: owner.cell))
    }
    return all.values[place]
  }

  // MARK: Who judges in their light

  /// Calls of some operations, by what is known before them.
  func judge(
    _ operations: Set<Concern>, in library: Library<Contract>,
    _ run: @escaping (Contract.Asked, Known) -> Void
  ) {
    library.look()
    let step = AskedStep<Known>(run: run)
    for concern in operations {
      let number = library.classes.number(of: concern)
      if let chain = asking[number] {
        chain.add(step)
        continue
      }
      let chain = Chain<AskedStep<Known>>()
      asking[number] = chain
      chain.add(step)
      library.judge([concern]) { [self] sight, view in
        guard let asked = Contract.asked(in: view) else { return }
        forEach(sight) { chain.joined?.run(asked, $0) }
      }
    }
  }

  /// Notes, by what is known before them.
  func judgeNotes(
    in library: Library<Contract>, _ run: @escaping (Contract.Note, Known) -> Void
  ) {
    if noting.isEmpty {
      library.judgeNotes { [self] note, sight in forEach(sight) { noting.joined?.run(note, $0) } }
    }
    noting.add(LitStep(run: run))
  }

  @inline(__always)
  private func judgeRipe(of facts: Known, at now: Instant) {
    for item in facts.ripening.ripe(at: now) { ripe[Known.sort(of: item)].joined?.run(item, facts) }
  }

  /// What a record ripens is judged before the facts learn of that record, and what ripened after the last with the end.
  /// - Parameter sorts: `nil`: whatever they tell of.
  func judgeRipe(_ sorts: Set<Int>?, _ run: @escaping (Known.Ripe, Known) -> Void) {
    let step = LitStep<Known.Ripe, Known>(run: run)
    for sort in ripe.indices where sorts?.contains(sort) ?? true { ripe[sort].add(step) }
  }
}

extension Library where Contract: Observed {
  func shelf<Known: Facts<Contract>>(of kind: Known.Type) -> Shelf<Known> {
    only { Shelf(in: self) }
  }

  /// Lends facts of a kind to somebody who is no check, by cell; of some there is one for the whole region.
  public func lender<Known: Facts<Contract>>(of kind: Known.Type) -> (_ cell: Int) -> Known {
    let lender = Known.lender(in: self, to: .cell)
    return { lender.lend(Owner(cell: $0, person: nil, number: $0)) }
  }
}
