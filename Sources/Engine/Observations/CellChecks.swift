import Contracts
import Timekeeping

/// What is known of one cell from its records, and the checks that judge by it, as one value: a method for each class of records.
///
/// A record comes to its method once, and nothing stands between: no closure, no look-up of types. What several checks need of it (who
/// asks, which thing is meant) is found there, as numbers; then the checks judge it by what was known before, and then what is known
/// changes.
///
///     public struct WorkshopChecks: CellChecks {
///       public static let judged = [JudgedRule<Toy>(.ty01, [.controls, .asks(Toy.signIn)])]
///       public let verdicts: RuleVerdicts<Toy.Rule>
///       private var pins: [String: String] = [:]
///
///       public init(_ verdicts: RuleVerdicts<Toy.Rule>) { self.verdicts = verdicts }
///
///       public mutating func asked(_ call: Call<Toy>, by person: Int) {
///         guard case .signIn(let asked) = call.request else { return }
///         expect(.ty01, call.outcome.isReplied == (pins[asked.member] == asked.pin), "…")
///       }
///     }
public protocol CellChecks<Contract> {
  associatedtype Contract: ServiceContract
  typealias Rule = Contract.Rule

  /// Every rule that they judge, with what its check goes by. A verdict about another rule ends the program.
  static var judged: [JudgedRule<Contract>] { get }

  /// Where their verdicts go: one for all cells of a region.
  var verdicts: RuleVerdicts<Rule> { get }

  /// Of a cell of which nothing is known.
  init(_ verdicts: RuleVerdicts<Rule>)

  /// Judges what could not be judged yet (`Ripening`) and is due: before each record, and at the end of the run.
  mutating func ripen(at now: Instant)

  /// - Parameter person: Who asked, by its number among those of the cell, in the order in which they were first seen.
  mutating func asked(_ call: Call<Contract>, by person: Int)
  /// A fault of the scenario had a call arrive twice, and nobody heard what the second did; just before `asked` is told how the first went.
  mutating func askedAgain(_ unheard: Call<Contract>, by person: Int)
  mutating func signalled(_ signal: Contract.Signal, to person: Int)
  mutating func noted(_ note: Contract.Note, by person: Int)
  mutating func commanded(_ command: Contract.Request, _ outcome: Outcome<Contract>)
  mutating func inspected(_ reply: Contract.Reply)
  /// The run has ended; what is due has been judged.
  mutating func ended(at now: Instant)
}

extension CellChecks {
  public mutating func ripen(at now: Instant) {}
  public mutating func askedAgain(_ unheard: Call<Contract>, by person: Int) {}
  public mutating func signalled(_ signal: Contract.Signal, to person: Int) {}
  public mutating func noted(_ note: Contract.Note, by person: Int) {}
  public mutating func commanded(_ command: Contract.Request, _ outcome: Outcome<Contract>) {}
  public mutating func inspected(_ reply: Contract.Reply) {}
  public mutating func ended(at now: Instant) {}

  // MARK: - Verdicts

  @inline(__always)
  public func held(_ rule: Rule) { verdicts.held(rule) }

  @inline(__always)
  public func violated(_ rule: Rule, _ what: @autoclosure () -> String) {
    verdicts.violated(rule, what)
  }

  /// A request that the table of rights is about was answered.
  ///
  /// - Parameters:
  ///   - column: The place of its caller's kind in the backend's `AccessMatrix`.
  ///   - isRight: Whether it was granted or refused as the documents say.
  public func answered(_ call: Call<Contract>, column: Int, isRight: Bool) {
    verdicts.enter(
      AccessMatrix.Entry(
        column: column, operation: call.operation, isGranted: call.outcome.isReplied,
        isRight: isRight))
  }

  /// A request that the table of rights is about got an answer that it does not judge: so that its columns and these together are all
  /// answers.
  public func answered(_ call: Call<Contract>, outside reason: AccessMatrix.Outside) {
    verdicts.enter(
      AccessMatrix.Entry(
        reason, operation: call.operation, isGranted: call.outcome.isReplied))
  }

  public func undecided(_ rule: Rule, _ why: String) { verdicts.undecided(rule, why) }

  /// Held or violated, by a condition.
  @inline(__always)
  public func expect(_ rule: Rule, _ condition: Bool, _ what: @autoclosure () -> String) {
    if condition { verdicts.held(rule) } else { verdicts.violated(rule, what) }
  }
}

/// The checks of a region's cells.
public struct CellCheckRuntime<Checks: CellChecks>: CheckRuntime {
  public typealias Contract = Checks.Contract

  private struct Cell {
    var checks: Checks
    var persons = 0
  }

  private var cells: ContiguousArray<Cell> = []
  /// By the number of a person in the region its number in its cell.
  private var numbers: ContiguousArray<Int32> = []
  private let verdicts = RuleVerdicts<Contract.Rule>(Checks.judged.map(\.rule))
  private let isSeen: Set<Contract.Rule>
  public let library = Library<Contract>()

  /// - Parameter isSeen: Whether the records are there that a rule goes by; about others nothing is told.
  public init(_ isSeen: (JudgedRule<Contract>) -> Bool = { _ in true }) {
    self.isSeen = Set(Checks.judged.filter(isSeen).map(\.rule))
  }

  private var told: [(rule: Contract.Rule, judge: Judge)] {
    verdicts.all.filter { isSeen.contains($0.rule) }
  }
  public var limits: [LimitID] { told.map(\.rule.id) }
  public var judges: [Judge] { told.map(\.judge) }
  public var violations: Int { told.reduce(0) { $0 + $1.judge.violations } }

  public mutating func see(_ record: Record<Contract>) {
    let cell = record.cell
    while cells.count <= cell { cells.append(Cell(checks: Checks(verdicts))) }
    verdicts.moment = Moment(record)
    cells[cell].checks.ripen(at: record.time)
    verdicts.moment = Moment(record)
    switch record.event {
    case .request(let call):
      let person = number(of: record.person, in: cell)
      if call.met.isDuplicated { cells[cell].checks.askedAgain(call.unheard, by: person) }
      cells[cell].checks.asked(call, by: person)
    case .signal(let signal):
      cells[cell].checks.signalled(signal, to: number(of: record.person, in: cell))
    case .note(let note): cells[cell].checks.noted(note, by: number(of: record.person, in: cell))
    case .control(let command, let outcome): cells[cell].checks.commanded(command, outcome)
    case .inspection(let reply): cells[cell].checks.inspected(reply)
    }
  }

  public mutating func takeEntries() -> [AccessMatrix.Entry] { verdicts.takeEntries() }

  private mutating func number(of person: PersonID?, in cell: Int) -> Int {
    guard let person else { preconditionFailure("requests, signals and notes are somebody's") }
    let index = Int(person.index)
    if index < numbers.count, numbers[index] >= 0 { return Int(numbers[index]) }
    while numbers.count <= index { numbers.append(-1) }
    numbers[index] = Int32(cells[cell].persons)
    cells[cell].persons += 1
    return Int(numbers[index])
  }

  public mutating func end(at instant: Instant) {
    for cell in cells.indices {
      let moment = Moment(time: instant, person: nil, cell: cell)
      verdicts.moment = moment
      cells[cell].checks.ripen(at: instant)
      verdicts.moment = moment
      cells[cell].checks.ended(at: instant)
    }
  }
}
