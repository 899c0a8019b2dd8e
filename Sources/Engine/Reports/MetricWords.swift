import Runs

/// A compared figure in words: times grow by percents, shares by percentage points.
extension RunComparison.Metric {
  func figure(_ value: Double) -> String {
    measure == .withoutAnswer ? Figures.share(value) : Figures.duration(value)
  }

  /// `+12.3%`, or `+0.5 pp` of a share; empty where it could not be told.
  var changeInWords: String {
    guard measure == .withoutAnswer else { return TerminalComparison.change(change.ratio) }
    return difference.map(Self.points) ?? ""
  }

  /// Both ends of what the change plausibly is.
  var intervalInWords: String? {
    guard measure == .withoutAnswer else {
      return change.interval.map {
        TerminalComparison.change($0.low) + " … " + TerminalComparison.change($0.high)
      }
    }
    return differenceInterval.map { Self.points($0.low) + " … " + Self.points($0.high) }
  }

  /// How much growth nobody minds.
  func margin(_ margin: Double) -> String {
    measure == .withoutAnswer
      ? Self.points(margin * RunComparison.sharePartOfMargin) : Figures.share(margin)
  }

  /// Percentage points.
  private static func points(_ difference: Double) -> String {
    let hundredths = Int((difference.magnitude * 10_000).rounded())
    guard hundredths > 0 else { return "±0 pp" }
    let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
    let decimals =
      rest == 0 ? "" : rest % 10 == 0 ? ".\(rest / 10)" : rest < 10 ? ".0\(rest)" : ".\(rest)"
    return (difference > 0 ? "+" : "−") + "\(whole)\(decimals) pp"
  }
}

extension Measure {
  /// As tables name it beside an operation.
  var inWords: String { self == .withoutAnswer ? "without answer" : rawValue }
}
