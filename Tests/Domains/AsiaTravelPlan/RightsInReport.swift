import AsiaTravelPlanContract
import Contracts
import Observations
import Testing
import Timekeeping

@Suite struct `The agency's matrix of rights as it was answered` {
  private typealias Agency = AsiaTravelPlan

  private func entries(_ tell: (inout AgencyStory) -> Void) -> [AccessMatrix.Entry] {
    var story = AgencyStory()
    tell(&story)
    let detail = Agency.operation(of: .booking(id: "booking_a"))
    return story.entries().filter { $0.operation == detail }
  }

  private func detail(
    of id: String, as user: String, _ credential: Agency.Credential?, _ refusal: Agency.RefusalKind?
  ) -> [AccessMatrix.Entry] {
    let reply = Agency.Reply.booking(
      BookingDetail(booking: AgencyStory.booking(id), customer: nil))
    return entries {
      $0.ask(
        .booking(id: id), as: user, credential,
        refusal.map { .refused(.api($0, about: "")) } ?? .replied(reply))
    }
  }

  private func entry(
    _ standing: Agency.Standing, isGranted: Bool, isRight: Bool
  ) -> [AccessMatrix.Entry] {
    [
      AccessMatrix.Entry(
        column: standing.rawValue, operation: Agency.operation(of: .booking(id: "booking_a")),
        isGranted: isGranted, isRight: isRight)
    ]
  }

  @Test func `says of each caller's kind what was granted and refused, and what of it is wrong`() {
    let callers: [(id: String, user: String, standing: Agency.Standing, mayRead: Bool)] = [
      ("booking_a", "ada", .own, true), ("booking_b", "ada", .other, false),
      ("booking_b", "mia", .manager, true), ("booking_b", "carl", .accountant, true),
      ("booking_b", "alma", .admin, true),
    ]
    for (id, user, standing, mayRead) in callers {
      let bearer = AgencyStory.bearer(user)
      #expect(
        detail(of: id, as: user, bearer, nil)
          == entry(standing, isGranted: true, isRight: mayRead))
      #expect(
        detail(of: id, as: user, bearer, .forbidden)
          == entry(standing, isGranted: false, isRight: !mayRead))
    }
  }

  private func outside(_ reason: AccessMatrix.Outside, isGranted: Bool) -> [AccessMatrix.Entry] {
    [
      AccessMatrix.Entry(
        reason, operation: Agency.operation(of: .booking(id: "booking_a")), isGranted: isGranted)
    ]
  }

  @Test func `counts apart what nobody can judge, so that the columns together are all answers`() {
    let operation = Agency.operation(of: .booking(id: "booking_b"))
    for refusal in [nil, Agency.APIRefusal.forbidden] {
      var story = AgencyStory()
      let begun = story.now
      story.ask(
        .assign(Assignment("booking_b", to: "staff_a")), as: "mia", .unknown(.timedOut),
        lasting: .seconds(5))
      story.now = begun + .seconds(1)
      story.ask(
        .booking(id: "booking_b"), as: "ada",
        refusal.map { .refused(.api($0, about: "")) }
          ?? .replied(
            .booking(BookingDetail(booking: AgencyStory.booking("booking_b"), customer: nil))))
      #expect(
        story.entries().filter { $0.operation == operation }
          == outside(.uncertain, isGranted: refusal == nil))
    }
    let mia = AgencyStory.bearer("mia")
    for refusal in [Agency.APIRefusal.bookingNotFound, .internalServerError] {
      #expect(
        self.detail(of: "booking_a", as: "mia", mia, refusal)
          == outside(.otherReason, isGranted: false))
    }
  }

  @Test func `tells a token without a role from none, and takes no other refusal for an answer`() {
    let (otto, ada) = (AgencyStory.bearer("otto"), AgencyStory.bearer("ada"))
    #expect(
      detail(of: "booking_a", as: "otto", otto, .unauthorized)
        == entry(.outsider, isGranted: false, isRight: true))
    #expect(
      detail(of: "booking_a", as: "otto", nil, nil)
        == entry(.anonymous, isGranted: true, isRight: false))
    #expect(
      detail(of: "booking_a", as: "ada", ada, .bookingNotFound)
        == outside(.otherReason, isGranted: false))
  }
}
