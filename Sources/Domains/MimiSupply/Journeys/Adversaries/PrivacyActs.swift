import Contracts
import Journeys
import MimiSupplyContract
import Timekeeping

/// What is tried against the rules of section 4 that this group names: their adversaries.
enum PrivacyActs {
  static let all: [Act] = []
}
