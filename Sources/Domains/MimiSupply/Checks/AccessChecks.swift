import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// Judges one group of the rules of section 4.
enum AccessChecks {
  static let all: [MSCheck] = []
}
