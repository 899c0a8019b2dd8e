import Verdicts

/// Parts of a run that are missing, so that it is inconclusive at best.
public struct Lack: Sendable {
  public var there: Int
  public var wanted: Int
  /// `replications`, of which so many are there.
  public var noun: String
  /// `3/16`.
  public var parts: [String]

  public init(there: Int, wanted: Int, of noun: String, parts: [String]) {
    (self.there, self.wanted, self.noun, self.parts) = (there, wanted, noun, parts)
  }

  private static let mostNamed = 20

  /// What is demanded of every run and does not show in those that are whole.
  var result: ObjectiveResult {
    let named = parts.prefix(Self.mostNamed).joined(separator: ", ")
    let more = parts.count > Self.mostNamed ? " and \(parts.count - Self.mostNamed) more" : ""
    return ObjectiveResult(
      text: "every part of the run is there", verdict: .inconclusive,
      reason:
        "missing: part\(parts.count == 1 ? "" : "s") \(named)\(more); all figures are of \(there) of \(wanted) \(noun)",
      estimate: Double(there), interval: nil, bound: Double(wanted), unit: .count)
  }
}
