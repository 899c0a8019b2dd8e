import ArgumentParser
import Contracts
import Observations
import Timekeeping

/// A part of a whole as the command line gives it.
enum PartOption {
  static func parse(_ text: String) throws -> Share {
    guard let share = Share(text) else {
      throw ValidationError(
        "'\(printable(text))' is no part; give which of how many, e.g. 3/16, of at most \(Share.mostParts)"
      )
    }
    return share
  }
}

extension PartOption {
  /// When all generators begin.
  static func moment(_ text: String) throws -> Instant {
    guard let moment = Instant(text) else {
      throw ValidationError(
        "'\(printable(text))' is no moment; give one with its zone, e.g. 2026-03-21T06:00:00Z")
    }
    return moment
  }
}
