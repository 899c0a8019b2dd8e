import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// The latencies between two things of the domain.
enum MimiSupplyBusiness {
  static let all: [BusinessLatency<MimiSupply>] = []
}
