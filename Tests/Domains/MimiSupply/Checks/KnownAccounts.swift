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
      case .request(let exchange): facts.asked(SeenExchange(exchange), at: moment)
      case .control(.control(let command), .replied): facts.commanded(command, at: moment)
      case .control, .signal, .note, .inspection: break
      }
    }
    return facts
  }

  private static func exchange(
    as name: String, at now: Instant, device: String? = nil
  ) -> SeenExchange {
    SeenExchange(
      Exchange(
        request: .currentUser(Location(database: "public")), operation: 0,
        credential: MarketStory.credential(name, device: device), intended: now, sent: now,
        answered: now + .seconds(1), outcome: MarketStory.replied(.done), attempt: 1))
  }

  @Test func `a fixture's session proves its user, its device and its role`() {
    let story = MarketStory()
    let facts = Self.facts(story)
    let asked = Self.exchange(as: "dirk", at: story.now)
    #expect(facts.user(of: asked) == "dirk")
    #expect(facts.device(of: asked) == "device-dirk")
    #expect(facts.device(of: Self.exchange(as: "dirk", at: story.now, device: "d")) == "d")
    #expect(facts.role(of: asked) == .driver)
    #expect(facts.isSignedIn(asked) == true)
    #expect(facts.isSignedIn(Self.exchange(as: "nobody", at: story.now)) == nil)
    #expect(facts.isSignedIn(Self.exchange(as: "dirk", at: story.now + .days(2))) == false)
  }

  @Test func `a sign-out ends its session, and a lost one leaves it open`() {
    var story = MarketStory()
    story.ask(.signOut, as: "alice", MarketStory.replied(.done))
    story.ask(.signOut, as: "bob", .unknown(.timedOut))
    let facts = Self.facts(story)
    #expect(facts.isSignedIn(Self.exchange(as: "alice", at: story.now)) == false)
    #expect(facts.isSignedIn(Self.exchange(as: "bob", at: story.now)) == nil)
    #expect(facts.user(of: Self.exchange(as: "alice", at: story.now)) == "alice")
  }

  @Test func `a refreshed session lives on`() {
    var story = MarketStory()
    let later = story.now + .days(5)
    story.ask(
      .refresh, as: "alice",
      MarketStory.replied(.refreshed(userToken: "session-alice", expiresAt: later)))
    let facts = Self.facts(story)
    let asked = Self.exchange(as: "alice", at: story.now + .days(3))
    #expect(facts.isSignedIn(asked) == true)
  }

  @Test func `a role that changes is certain before and after, and not meanwhile`() {
    var story = MarketStory()
    let before = story.now
    story.now += .seconds(10)
    let change = RecordDraft(name: "bob", changeTag: "1", fields: ["role": .string("driver")])
    story.write(
      [.init(.update, change)], as: "ada", [.saved(MarketStory.stored("bob", "UserProfile"))],
      lasting: .seconds(4))
    let facts = Self.facts(story)
    #expect(facts.role(of: Self.exchange(as: "bob", at: before)) == .customer)
    #expect(facts.role(of: Self.exchange(as: "bob", at: before + .seconds(11))) == nil)
    #expect(facts.role(of: Self.exchange(as: "bob", at: story.now)) == .driver)
  }

  @Test func `a deletion ends every session of its user`() {
    var story = MarketStory()
    story.ask(.deleteAccount, as: "alice", MarketStory.replied(.done))
    let facts = Self.facts(story)
    #expect(facts.isSignedIn(Self.exchange(as: "alice", at: story.now)) == false)
    #expect(!facts.exists("alice", during: story.now...story.now))
    #expect(facts.deletion(of: "alice") != nil)
    #expect(facts.deletion(of: "bob") == nil)
  }

  @Test func `a locked account's session is not good: MS-117`() {
    var story = MarketStory()
    story.control(.setRiskScore(user: "alice", score: 0.9))
    #expect(Self.facts(story).isSignedIn(Self.exchange(as: "alice", at: story.now)) == false)
    story.control(.setRiskScore(user: "alice", score: 0.1))
    #expect(Self.facts(story).isSignedIn(Self.exchange(as: "alice", at: story.now)) == true)
  }
}
