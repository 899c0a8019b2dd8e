import Contracts
import Timekeeping

/// How well a figure has to be known: `5% at 95%` asks for an interval at 95 % that reaches at most 5 % to either side.
public struct Precision: Hashable, Sendable {
  /// Half the width of the interval over the estimate.
  public var halfWidth: Double
  /// Between 0 and 1, ends excluded.
  public var confidence: Double

  public init(halfWidth: Double, confidence: Double) {
    precondition(halfWidth > 0 && halfWidth < 1, "a precision lies between 0 and 1, ends excluded")
    precondition(
      confidence > 0 && confidence < 1, "a confidence lies between 0 and 1, ends excluded")
    self.halfWidth = halfWidth
    self.confidence = confidence
  }
}

/// The keys that say how many replications a run may take.
extension Reading {
  /// With fewer a figure has no interval that deserves the name.
  static let fewestForPrecision = 10
  /// Of the skewness-adjusted test of a share (`ExceedanceGate`).
  static let fewestForQuantiles = 20

  func replications(_ node: SourceNode) -> Int? {
    whole(node, "replications", in: Self.replicationRange, example: 20)
  }

  func maximumReplications(
    _ node: SourceNode, replications: Int, at location: SourceNode?
  ) -> Int? {
    guard
      let most = whole(
        node, "maximumReplications", in: Self.replicationRange, example: 160)
    else { return nil }
    guard most >= replications else {
      refuse(
        node, "maximumReplications", "the run begins with \(replications)\(Self.behind(location))",
        wanted:
          "a whole number from \(replications), 'replications', to \(Self.replicationRange.upperBound)"
      )
      return nil
    }
    return most
  }

  /// `5% at 95%`.
  func precision(_ node: SourceNode, maximum: Int?) -> Precision? {
    let wanted = "a share at a confidence, e.g. 5% at 95%"
    guard let text = text(node, "precision", wanted: wanted) else { return nil }
    let parts = text.split(separator: " ").map(String.init)
    guard let at = parts.firstIndex(of: "at"), at > 0, at + 1 < parts.count else {
      refuse(node, "precision", "it names no confidence", wanted: wanted)
      return nil
    }
    guard let halfWidth = Self.share(parts[..<at]), let confidence = Self.share(parts[(at + 1)...])
    else {
      refuse(node, "precision", "it is not two shares", wanted: wanted)
      return nil
    }
    let why: String? =
      switch (halfWidth, confidence) {
      case (...0, _):
        "no number of replications makes an interval as short as \(percent(halfWidth))"
      case (1..., _): "an interval that reaches \(percent(halfWidth)) to either side says nothing"
      case (_, 1...): "no interval is certain to hold the truth"
      case (_, ..<0.5): "an interval that misses the truth more often than not says nothing"
      default: nil
      }
    if let why {
      refuse(
        node, "precision", why,
        wanted:
          "a share above 0% and below 100% at a confidence from 50% to below 100%, e.g. 5% at 95%")
      return nil
    }
    if let maximum, maximum < Self.fewestForPrecision {
      refuse(
        node, "precision",
        "\(maximum) replication\(maximum == 1 ? " gives" : "s give") no usable interval",
        wanted: "'maximumReplications' of \(Self.fewestForPrecision) or more with it")
      return nil
    }
    return Precision(halfWidth: halfWidth, confidence: confidence)
  }

  private static func share(_ words: ArraySlice<String>) -> Double? {
    let text = words.joined()
    guard !Numeral.isNotFinite(text), let numeral = Numeral(text) else { return nil }
    switch numeral.unit {
    case "%": return numeral.hundredth
    case "": return numeral.value
    default: return nil
    }
  }

  /// Objectives that could not be decided whatever was measured.
  func checkReplications(_ objectives: [Objective], at node: SourceNode, most: Int) {
    let judgedByShares = objectives.filter {
      switch $0.measure {
      case .quantile, .share, .errors: true
      case .mean, .rate, .count: false
      }
    }
    let need = judgedByShares.isEmpty ? Self.fewestForPrecision : Self.fewestForQuantiles
    guard let first = judgedByShares.first ?? objectives.first, most < need else { return }
    warn(
      node,
      "objective '\(printable(first.text))' needs \(need) replications and will stay inconclusive with \(most)",
      "set 'replications' or 'maximumReplications' to \(need) or more")
  }

  /// Objectives on response times in a part of the run of which no response time counts.
  func checkWarmUp(_ scenario: Scenario, at node: SourceNode) {
    let warm = scenario.starts + scenario.warmup
    let inVain = scenario.objectives.first {
      guard let window = $0.window, window.to <= warm else { return false }
      switch $0.measure {
      case .quantile, .mean, .share: return true
      case .errors, .rate, .count: return false
      }
    }
    guard let inVain else { return }
    warn(
      node,
      "objective '\(printable(inVain.text))' is about a part of the warm-up, of which no response time counts",
      "let the part end later, or make 'warmup' shorter than \(scenario.warmup)")
  }
}
