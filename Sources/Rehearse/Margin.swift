import ArgumentParser
import Contracts
import Verdicts

/// A growth that is tolerated, as `5%` or `0.05`.
struct Margin: CustomStringConvertible {
  static let standard = Margin(share: ChangeJudgement.standardMargin)

  let share: Double

  private init(share: Double) { self.share = share }

  static func parse(_ text: String) throws -> Margin {
    let isPercentage = text.hasSuffix("%")
    let digits = isPercentage ? String(text.dropLast()) : text
    guard let number = Double(digits.trimmingPrefix("+")),
      (0...10).contains(isPercentage ? number / 100 : number)
    else {
      throw ValidationError(
        "'\(printable(text))' is no margin; give a share from 0% to 1000%, e.g. 5% or 0.05")
    }
    return Margin(share: isPercentage ? number / 100 : number)
  }

  var description: String { "\(Int((share * 100).rounded()))%" }

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
