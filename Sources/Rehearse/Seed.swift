import ArgumentParser
import Contracts

/// A seed as the command line gives it.
enum Seed {
  static let help: ArgumentHelp = "The seed, in place of the scenario's."

  static func parse(_ text: String) throws -> UInt64 {
    guard let seed = UInt64(text) else {
      throw ValidationError(
        text.hasPrefix("-")
          ? "a seed is not negative; give a whole number from 0 to \(UInt64.max)"
          : "'\(printable(text))' is not a seed; give a whole number from 0 to \(UInt64.max)")
    }
    return seed
  }
}
