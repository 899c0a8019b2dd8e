import Contracts
import KantineKoningContract
import Observations

/// From the first step of the onboarding to the registration (§5.2, §5.3), and why some people never get there.
public enum EnrollingFlow {
  public static let flow = Flow<KantineKoning>(
    Course(
      of: "enrollments", steps: ["begun", "verified", "registered"],
      reasons: [
        Course.Reason("refused by the club’s rules", .backend),
        Course.Reason("without an answer", .model),
        Course.Reason("mail never read, or given up", .population),
      ]),
    concerns: [.notes, .asks(.requestEnrollment), .asks(.register)],
    watching: { _ in EnrollingWatch() })
}

private struct EnrollingWatch: FlowWatch {
  typealias Move = Flow<KantineKoning>.Move

  /// One onboarding of a person, who may go through several.
  private struct Attempt {
    var number = 0
    var isOpen = false
    /// What the last request of the onboarding came to, as the place of a reason.
    var trouble = Self.givenUp

    static let (refused, unanswered, givenUp) = (0, 1, 2)
  }

  private var attempts: [PersonID: Attempt] = [:]

  mutating func see(_ record: Record<KantineKoning>) -> [Move] {
    guard let person = record.person else { return [] }
    var attempt = attempts[person] ?? Attempt()
    defer { attempts[person] = attempt }
    var key: String { "\(person.index)/\(attempt.number)" }
    switch record.event {
    case .note(.phase(.onboarding)):
      guard !attempt.isOpen else { return [] }
      attempt = Attempt(number: attempt.number + 1, isOpen: true)
      return [.reached(key, step: 0)]
    case .note(.phase(.registered)):
      guard attempt.isOpen else { return [] }
      attempt.isOpen = false
      return [.reached(key, step: 2)]
    case .note(.gaveUpEnrolling):
      guard attempt.isOpen else { return [] }
      attempt.isOpen = false
      return [.left(key, reason: attempt.trouble)]
    case .request(let call):
      guard attempt.isOpen else { return [] }
      attempt.trouble =
        switch call.outcome {
        case .replied: Attempt.givenUp
        case .refused: Attempt.refused
        case .unsent, .unknown: Attempt.unanswered
        }
      // Who asks to be registered holds what proves it: a link from a mail, or a team's code.
      if case .register = call.request { return [.reached(key, step: 1)] }
      return []
    default: return []
    }
  }
}
