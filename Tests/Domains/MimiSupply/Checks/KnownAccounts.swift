import Contracts
import MimiSupplyContract
import Observations
import Testing
import Timekeeping

@testable import MimiSupplyChecks

@Suite struct `What records tell of MimiSupply's accounts` {
  private static func facts(_ story: MarketStory) -> AccountFacts {
    let facts = AccountFacts(Subject(Nothing()))
    for record in story.records.sorted(by: { $0.time < $1.time }) {
      let moment = Moment(time: record.time, person: record.person, cell: record.cell)
      switch record.event {
      case .request(let call): facts.asked(SeenCall(call), at: moment)
      case .control(.control(let command), .replied): facts.commanded(command, at: moment)
      case .control, .signal, .note, .inspection: break
      }
    }
    return facts
  }

  private static func call(
    as name: String, at now: Instant, device: DeviceName? = nil
  ) -> SeenCall {
    SeenCall(
      Call(
        request: .currentUser(Location(database: "public")), operation: 0,
        credential: MarketStory.credential(name, device: device), intended: now, sent: now,
        answered: now + .seconds(1), outcome: MarketStory.replied(.done), attempt: 1))
  }

  @Test func `a fixture's session proves its user, its device and its role`() {
    let story = MarketStory()
    let facts = Self.facts(story)
    let asked = Self.call(as: "dirk", at: story.now)
    #expect(facts.user(of: asked) == "dirk")
    #expect(facts.device(of: asked) == "device-dirk")
    #expect(facts.device(of: Self.call(as: "dirk", at: story.now, device: "d")) == "d")
    #expect(facts.role(of: asked) == .driver)
    #expect(facts.user(of: Self.call(as: "nobody", at: story.now)) == nil)
  }

  @Test func `a token that replaces another is the same user's`() {
    var story = MarketStory()
    story.ask(
      .refresh, as: "alice",
      MarketStory.replied(.refreshed(userToken: "session-new", expiresAt: story.now + .days(5))))
    let facts = Self.facts(story)
    for name in ["alice", "new"] {
      #expect(facts.user(of: Self.call(as: name, at: story.now)) == "alice")
    }
  }

  @Test func `a role that may have changed without an answer is not certain any more`() {
    var story = MarketStory()
    let before = story.now
    story.now += .seconds(10)
    story.ask(.selectRole("driver"), as: "bob", .unknown(.timedOut))
    let facts = Self.facts(story)
    #expect(facts.role(of: Self.call(as: "bob", at: before)) == .customer)
    #expect(facts.role(of: Self.call(as: "bob", at: story.now)) == nil)
  }

  @Test func `a role that changes is certain before and after, and not meanwhile`() {
    var story = MarketStory()
    let before = story.now
    story.now += .seconds(10)
    let change = RecordDraft(name: "bob", changeTag: "1", fields: [.role: .string("driver")])
    story.write(
      [.init(.update, change)], as: "ada", [.saved(MarketStory.stored("bob", "UserProfile"))],
      lasting: .seconds(4))
    let facts = Self.facts(story)
    #expect(facts.role(of: Self.call(as: "bob", at: before)) == .customer)
    #expect(facts.role(of: Self.call(as: "bob", at: before + .seconds(11))) == nil)
    #expect(facts.role(of: Self.call(as: "bob", at: story.now)) == .driver)
  }

  @Test func `an account is locked by its score: MS-117`() {
    var story = MarketStory()
    #expect(!Self.facts(story).knowsLocks)
    story.control(.setRiskScore(user: "alice", score: 0.9))
    story.now += .seconds(10)
    let during = story.now...story.now
    #expect(Self.facts(story).isLocked("alice", during: during) == true)
    #expect(Self.facts(story).isLocked("bob", during: during) == nil)
    story.control(.setRiskScore(user: "alice", score: 0.1))
    story.now += .seconds(10)
    #expect(Self.facts(story).isLocked("alice", during: story.now...story.now) == false)
  }
}
