/// What a run tells the shell.
public enum ExitStatus: Int32, CaseIterable, Hashable, Sendable {
  case allHeld = 0
  case failed = 99
  case inconclusive = 98
  case regression = 97
  case generatorWasTheLimit = 96
  case anotherRound = 95
  case wrongUsage = 64
  case invalidInput = 65
  case targetUnreachable = 69
  case internalError = 70
  case outOfNames = 71
  case cannotWrite = 73
  case interrupted = 130

  public var meaning: String {
    switch self {
    case .allHeld: "every limit and objective held"
    case .failed: "a limit or an objective failed"
    case .inconclusive:
      "a limit, an objective or a comparison is inconclusive, and the scenario does not say 'warn'; or nothing was judged at all"
    case .regression: "slower or worse than the accepted baseline"
    case .generatorWasTheLimit: "the run is invalid: the load generator was the limit"
    case .anotherRound:
      "the parts of a run do not decide it yet: another round is wanted, and nothing was written"
    case .wrongUsage: "wrong usage of the command line"
    case .invalidInput: "an invalid scenario or other input"
    case .targetUnreachable: "the target cannot be reached"
    case .internalError: "an internal error"
    case .outOfNames:
      "more long identifiers than a process can hold (4 M texts, 256 MB); what came later would depend on the number of workers"
    case .cannotWrite: "output cannot be written: a folder, a file or standard output"
    case .interrupted: "interrupted; a partial report was written"
    }
  }

  /// The status where, beside all that it stands for, something could not be written: only what is worse than that remains.
  public func unwritten(limits: [Verdict]) -> ExitStatus {
    switch self {
    case .interrupted, .internalError: self
    case .failed where limits.contains(.fail): self
    default: .cannotWrite
    }
  }

  /// What counts when several apply: a wrong answer stays wrong however late the generator was.
  ///
  /// A run in which no rule was tried and no objective measured says nothing, and is not green whatever the scenario allows.
  public static func of(
    interrupted: Bool, limits: [Verdict], objectives: [Verdict], inconclusiveStops: Bool,
    comparison: ChangeVerdict? = nil, isGeneratorTheLimit: Bool = false
  ) -> ExitStatus {
    if interrupted { return .interrupted }
    if isGeneratorTheLimit, !limits.contains(.fail) { return .generatorWasTheLimit }
    if limits.contains(.fail) || objectives.contains(.fail) { return .failed }
    if comparison == .regression { return .regression }
    guard limits.contains(.pass) || objectives.contains(.pass) else { return .inconclusive }
    if inconclusiveStops,
      limits.contains(.inconclusive) || objectives.contains(.inconclusive)
        || comparison == .inconclusive
    {
      return .inconclusive
    }
    return .allHeld
  }
}
