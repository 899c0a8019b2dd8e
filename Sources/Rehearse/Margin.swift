import ArgumentParser
import Verdicts

/// A growth that is tolerated, as `5%` or `0.05`.
struct Margin: ExpressibleByArgument {
  static let standard = Margin(share: ChangeJudgement.standardMargin)

  let share: Double

  private init(share: Double) { self.share = share }

  /// - Returns: `nil` unless it is from 0 up to 1000 %.
  init?(argument: String) {
    let isPercentage = argument.hasSuffix("%")
    let digits = isPercentage ? String(argument.dropLast()) : argument
    guard let number = Double(digits.trimmingPrefix("+")), number.isFinite, number >= 0 else {
      return nil
    }
    let share = isPercentage ? number / 100 : number
    guard share <= 10 else { return nil }
    self.share = share
  }

  var defaultValueDescription: String { "\(Int((share * 100).rounded()))%" }

  /// The help of a margin that means nothing without another option.
  static func beside(_ option: String) -> ArgumentHelp {
    "With \(option): the growth that is tolerated, e.g. 5%, which is the default."
  }

  static func check(_ margin: Margin?, beside option: String, _ value: String?) throws {
    guard margin == nil || value != nil else {
      throw ValidationError(
        "--margin is of a comparison: name what with by \(option), or leave it out")
    }
  }
}
