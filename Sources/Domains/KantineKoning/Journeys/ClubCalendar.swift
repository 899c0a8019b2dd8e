import Contracts
import KantineKoningContract
import Timekeeping

/// What the operator does during a run because the population's declared shares say so: clubs that close for some
/// hours, and clubs that end their season.
public struct ClubCalendar: Sendable {
  public private(set) var commands: [(cell: Int, at: Instant, command: KantineKoning.Control)] = []

  public init(_ plan: CanteenPlan) {
    guard plan.clubs > 0 else { return }
    for number in 1...plan.clubs {
      var stream = plan.stream("club-\(number)", Shaping.calendar)
      let club = Club.slug(region: plan.region, number: number)
      let isClosing = stream.chance(plan.population.share("clubsClosedForEnrollment"))
      let isEnding = stream.chance(plan.population.share("clubsEndingSeason"))
      let early = stream.unit()
      let later = stream.unit()
      let isReset = number % 2 == 0
      let length = plan.ends - plan.starts
      func at(_ share: Double) -> Instant {
        plan.starts + Span(seconds: length.seconds * share)
      }
      let cell = plan.cell(ofClub: number)
      if isEnding {
        let end = 0.2 + 0.3 * early
        commands.append((cell, at(end), .endSeason(tenant: club)))
        // Every other club takes enrollments again before it resets, the rest reset.
        let next = at(end + 0.05 + 0.1 * later)
        commands.append(
          (
            cell, next,
            isReset
              ? .resetSeason(tenant: club)
              : .setEnrollmentOpen(tenant: club, open: true, message: nil)
          ))
      } else if isClosing {
        let start = 0.1 + 0.4 * early
        commands.append(
          (
            cell, at(start),
            .setEnrollmentOpen(tenant: club, open: false, message: "Inschrijving gesloten")
          ))
        commands.append(
          (
            cell, at(start + 0.15 + 0.2 * later),
            .setEnrollmentOpen(tenant: club, open: true, message: nil)
          ))
      }
    }
  }
}
