import Contracts
import Observations
import Timekeeping
import ToyContract

extension Toy: Observed {}

typealias ToyCall = Call<Toy>

/// Every check of the workshop, in the order of the rules.
enum ListedChecks {
  static let all: [Check<Toy>] =
    Dictionary(
      (MemberChecks.all + LendingChecks.all + AppChecks.all).map { ($0.rule, $0) },
      uniquingKeysWith: +
    ).values.sorted { $0.rule < $1.rule }
}
