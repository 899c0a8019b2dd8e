import Contracts
import MimiSupplyContract
import Observations
import Testing
import Timekeeping

@testable import MimiSupplyChecks

@Suite struct `Checks of MimiSupply's platform, tags and privacy` {
  private static let cases = PlatformCases.all + PrivacyCases.all

  private static func judge(_ limit: MimiSupply.Rule, _ story: (inout MarketStory) -> Void) -> Judge
  {
    var told = MarketStory()
    story(&told)
    // What is judged late is judged before the end.
    for _ in 1...2 {
      told.now += .minutes(3)
      told.ask(.refresh, as: "bob", .unsent(.offline))
    }
    return told.judged(by: limit)
  }

  @Test(arguments: cases)
  func `every check holds on good records and says that the rule was tried`(example: MarketCase) {
    let judge = Self.judge(example.limit, example.holds)
    #expect(judge.violations == 0, "\(judge.evidence.map(\.what))")
    #expect(judge.exercised > 0)
  }

  @Test(arguments: cases)
  func `every check fails on records that break its rule`(example: MarketCase) {
    #expect(Self.judge(example.limit, example.fails).violations > 0)
  }

  @Test(arguments: cases)
  func `a rule that nobody tries counts nothing`(example: MarketCase) {
    #expect(Self.judge(example.limit) { _ in }.exercised == 0)
  }

  // MARK: What may not be taken for a violation

  @Test func `a refusal among requests whose answers were lost is no mistake: MS-01`() {
    let judge = Self.judge(.ms01) { story in
      for _ in 0..<40 {
        story.ask(
          .currentUser(Location(database: "public")), .unknown(.timedOut), lasting: .seconds(10),
          then: .zero)
      }
      story.now += .seconds(5)
      story.ask(
        .currentUser(Location(database: "public")),
        MarketStory.refused(
          Failure(.throttled, .requestRateLimited, retryAfter: .milliseconds(10))))
    }
    #expect(judge.violations == 0, "\(judge.evidence.map(\.what))")
  }

  @Test func `a refusal of who asked for little is one: MS-01, MS-03`() {
    let judge = Self.judge(.ms01) { story in
      story.ask(
        .currentUser(Location(database: "public")),
        MarketStory.refused(
          Failure(.throttled, .requestRateLimited, retryAfter: .milliseconds(10))))
    }
    #expect(judge.violations == 1)
  }

  @Test func `forty-one admissions that may lie a second apart are none too many: MS-01`() {
    let judge = Self.judge(.ms01) { story in
      for _ in 0..<41 {
        story.ask(
          .currentUser(Location(database: "public")),
          MarketStory.replied(.user(UserIdentity(userRecordName: "alice"))), lasting: .seconds(1),
          then: .zero)
      }
    }
    #expect(judge.violations == 0)
  }
}
