/// What a run tells the shell.
public enum ExitStatus: Int32, CaseIterable, Hashable, Sendable {
  case allHeld = 0
  case failed = 99
  case inconclusive = 98
  case regression = 97
  case generatorWasTheLimit = 96
  case wrongUsage = 64
  case invalidInput = 65
  case targetUnreachable = 69
  case internalError = 70
  case interrupted = 130

  public var meaning: String {
    switch self {
    case .allHeld: "every limit and objective held"
    case .failed: "a limit or an objective failed"
    case .inconclusive:
      "a limit, an objective or a comparison is inconclusive, and the scenario does not say 'warn'"
    case .regression: "slower or worse than the accepted baseline"
    case .generatorWasTheLimit: "the run is invalid: the load generator was the limit"
    case .wrongUsage: "wrong usage of the command line"
    case .invalidInput: "an invalid scenario or other input"
    case .targetUnreachable: "the target cannot be reached"
    case .internalError: "an internal error"
    case .interrupted: "interrupted; a partial report was written"
    }
  }

  /// What counts when several apply: a wrong answer stays wrong however late the generator was.
  public static func of(
    interrupted: Bool, limits: [Verdict], objectives: [Verdict], inconclusiveStops: Bool,
    comparison: ChangeVerdict? = nil
  ) -> ExitStatus {
    if interrupted { return .interrupted }
    if limits.contains(.fail) || objectives.contains(.fail) { return .failed }
    if comparison == .regression { return .regression }
    if inconclusiveStops,
      limits.contains(.inconclusive) || objectives.contains(.inconclusive)
        || comparison == .inconclusive
    {
      return .inconclusive
    }
    return .allHeld
  }
}
