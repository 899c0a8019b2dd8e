import Contracts
import Timekeeping

/// The checks of one region, as the recorder sees them: it is called with each record, and decides.
///
/// `CellCheckRuntime` is a domain's own checks as the compiler sees them whole; `CheckRouter` brings records to a list of checks.
public protocol CheckRuntime<Contract> {
  associatedtype Contract: ServiceContract

  /// The rules that are judged, in their order; of `judges` likewise.
  var limits: [LimitID] { get }
  var judges: [Judge] { get }
  /// Of all checks together.
  var violations: Int { get }
  /// What business latencies and flows may go by beside the records.
  var library: Library<Contract> { get }

  mutating func see(_ record: Record<Contract>)
  /// What has become known since the last time of requests that the table of rights is about.
  mutating func takeEntries() -> [AccessMatrix.Entry]
  /// The run has ended.
  mutating func end(at instant: Instant)
}

extension CheckRuntime {
  public mutating func takeEntries() -> [AccessMatrix.Entry] { [] }

  /// Whether a rule has been violated by now.
  public func isViolated(_ limit: LimitID) -> Bool {
    zip(limits, judges).contains { $0 == limit && $1.violations > 0 }
  }
}

extension CheckRouter: CheckRuntime {}

/// A rule that is judged, and what its check goes by.
public struct JudgedRule<Contract: ServiceContract>: Sendable {
  public let rule: Contract.Rule
  /// Where its check stands; `nil` where that is not said.
  public let file: String?
  private let find: @Sendable () -> Set<Concern>
  private let isPersonal: @Sendable () -> Bool

  /// The classes of records that it goes by, also through facts. A target that does not show one of them leaves the rule unjudged.
  public var dependencies: Set<Concern> { find() }

  /// Whether each verdict goes by one record, or by the records of one person: then it is right as well where only some of the people
  /// are seen, such as in one generator of several.
  public var judgesByPerson: Bool { isPersonal() }

  /// - Parameters:
  ///   - dependencies: Every class of records that can change what the check decides.
  ///   - byPerson: Whether no verdict goes by the records of several people, or by commands.
  public init(
    _ rule: Contract.Rule, _ dependencies: Set<Concern>, byPerson: Bool = false,
    in id: String = #fileID
  ) {
    (self.rule, file) = (rule, sourceFile(id))
    find = { dependencies }
    isPersonal = { byPerson }
  }

  public init(_ check: Check<Contract>) {
    (rule, file) = (check.rule, nil)
    find = { check.goesBy.union(check.concerns) }
    isPersonal = { check.judgesByPerson }
  }
}
