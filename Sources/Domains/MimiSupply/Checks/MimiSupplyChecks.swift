import Contracts
import MimiSupplyContract
import Observations

/// What judges records against the rules of section 4: nothing yet, as each limit's reason says.
public enum MimiSupplyChecks {
  public static let all: [Check<MimiSupply>] = []
  public static let business: [BusinessLatency<MimiSupply>] = []
}
