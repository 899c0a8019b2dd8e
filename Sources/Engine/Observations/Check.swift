import Contracts
import Timekeeping

/// Decides from records alone whether a limit held; `CheckShapes.swift` has the ways to say how.
public struct Check<Contract: ServiceContract>: Sendable {
  public let rule: Contract.Rule
  /// Which records it wants to see; others never reach it.
  public let concerns: Set<Concern>
  /// Takes its seat in a region's library, under its number among the checks.
  let join: @Sendable (Library<Contract>, Int) -> Void

  init(
    _ rule: Contract.Rule, _ concerns: Set<Concern>,
    join: @escaping @Sendable (Library<Contract>, Int) -> Void
  ) {
    self.rule = rule
    self.concerns = concerns
    self.join = join
  }
}

extension Check {
  /// The classes beside requests and notes that it goes by, also through the facts that it judges by.
  public var goesBy: Set<Concern> {
    Set([Concern.signals, .controls, .inspections].filter(ownLibrary.isWatched))
  }

  /// Whether it judges each record by itself, or each person by their own records.
  public var judgesByPerson: Bool { !ownLibrary.joinsPeople }

  private var ownLibrary: Library<Contract> {
    let library = Library<Contract>()
    library.seats = [Seat()]
    join(library, 0)
    return library
  }
}

/// A class of records that a check wants to see.
public enum Concern: Hashable, Sendable {
  /// Requests of one operation, by its index in the contract.
  case operation(Int)
  case signals
  case controls
  case notes
  case inspections

  public static func asks<Contract: DeclaredContract>(_ endpoint: Endpoint<Contract>) -> Concern {
    .operation(Contract.table.index(of: endpoint))
  }
}
