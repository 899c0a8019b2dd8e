import Contracts
import KantineKoningContract
import Timekeeping

/// Somebody who breaks rules on purpose, before the first act.
package struct AdversarySeed: Sendable {
  package let name: String
  package let managers: [Fixture.Manager]
  package let entries: [Fixture.EnrollmentEntry]
  init(name: String, turn: Int, neighbourhood: Neighbourhood, plan: CanteenPlan) {
    self.name = name
    managers = []
    entries = []
  }
}
