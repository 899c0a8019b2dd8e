import Contracts
import MimiSupplyChecks
import MimiSupplyContract
import Observations
import Testing
import Timekeeping

private typealias S = AppStory

@Suite struct `Checks of the app` {
  private static let cases = requests + reading + queueing + conflicts

  private static func judge(_ limit: MimiSupply.Rule, _ tell: (inout AppStory) -> Void) -> Judge {
    var story = AppStory()
    tell(&story)
    return story.judged(by: limit)
  }

  @Test(arguments: cases)
  func `hold on good records and say that the rule was tried`(example: AppCase) {
    let judge = Self.judge(example.limit, example.holds)
    #expect(judge.violations == 0, "\(judge.evidence.map(\.what))")
    #expect(judge.exercised > 0)
  }

  @Test(arguments: cases)
  func `fail on records that break their rule`(example: AppCase) {
    #expect(Self.judge(example.limit, example.fails).violations > 0)
  }

  @Test(arguments: cases)
  func `leave people without an app alone, and attackers, and other devices`(example: AppCase) {
    for keepsBudget in [true, false] {
      let judge = Self.judge(example.limit) { story in
        story.note(.started(device: keepsBudget ? "tablet" : "phone", keepsBudget: keepsBudget))
        for _ in 1...30 { story.ask(S.read, S.busy, waits: false) }
      }
      #expect(judge.violations == 0)
    }
  }

  @Test func `judge every rule of the app`() {
    let client = (86...89).map { "MS-\($0)" } + (119...130).map { "MS-\($0)" }
    #expect(Set(Self.cases.map(\.limit.id.text)) == Set(client))
    for limit in MimiSupply.limits where client.contains(limit.id.text) {
      #expect(limit.unjudged == nil && limit.keeper == .device, "\(limit.id)")
    }
  }

  // MARK: Requests

  private static let requests: [AppCase] = [
    AppCase(.ms119) {
      $0.ask(S.read, S.busy)
      $0.now += .seconds(5)
      $0.ask(S.read, S.busy, attempt: 2)
      $0.now += .seconds(6)
      $0.ask(S.read, S.fine, attempt: 3)
    } fails: {
      $0.ask(S.read, S.busy)
      $0.now += .seconds(4)  // the backend wanted five
      $0.ask(S.read, S.fine, attempt: 2)
    },
    AppCase(.ms120) {
      $0.ask(S.read, S.busy)
      $0.note(.handled(.answered(.zoneBusy), .retry))
      $0.ask(S.read, .unknown(.timedOut))
      $0.note(.handled(.responseLost, .lookUpFirst))
    } fails: {
      $0.ask(S.read, S.busy)
      $0.note(.handled(.answered(.zoneBusy), .giveUp))
    },
    AppCase(.ms121) {
      for _ in 1...3 { $0.ask(S.read, S.busy) }
      $0.note(.health(.cloudKit, isDegraded: true, succeeded: 0, of: 3))
      $0.note(.level(.moderate))
      $0.now += .seconds(1)
      $0.ask(S.read, S.fine)
    } fails: {
      for _ in 1...3 { $0.ask(S.read, S.busy) }
      $0.note(.health(.cloudKit, isDegraded: true, succeeded: 0, of: 3))
      $0.now += .seconds(1)
      $0.ask(S.read, S.fine)
    },
    AppCase(.ms123) {
      for _ in 1...5 { $0.ask(S.read, S.busy) }
      $0.note(.breaker(.cloudKit, .open), then: .seconds(30))
      $0.note(.breaker(.cloudKit, .halfOpen))
      for _ in 1...3 { $0.ask(S.read, S.fine) }
      $0.note(.breaker(.cloudKit, .closed))
    } fails: {
      for _ in 1...6 {
        $0.ask(S.read, S.busy)
        $0.now += .seconds(1)
      }
    },
    AppCase(.ms130) {
      for _ in 1...10 { $0.ask(S.read, S.fine) }
      $0.now += .seconds(1)
      $0.ask(S.read, S.fine)
    } fails: {
      for _ in 1...12 { $0.ask(S.read, S.fine) }
    },
  ]

  @Test func `MS-119: a fourth try is one too many`() {
    let judge = Self.judge(.ms119) { story in
      for attempt in 1...4 {
        story.ask(S.read, S.busy, attempt: attempt)
        story.now += .seconds(10)
      }
    }
    #expect(judge.violations == 1)
  }

  @Test func `MS-119: after a new sign-in a third try is repeated, once`() {
    func tried(_ third: Outcome<MimiSupply>, times: Int) -> Int {
      Self.judge(.ms119) { story in
        for attempt in 1...times {
          story.ask(S.read, attempt < 3 ? S.busy : third, attempt: attempt)
          story.now += .seconds(10)
        }
      }.violations
    }
    let signedOut = S.refused(.authenticationFailed, .notAuthenticated)
    #expect(tried(signedOut, times: 4) == 0 && tried(S.busy, times: 4) == 1)
    #expect(tried(signedOut, times: 5) == 1)
  }

  @Test func `MS-120: an error that nobody handles is noticed with the next request`() {
    let judge = Self.judge(.ms120) { story in
      story.ask(S.read, S.busy)
      story.now += .seconds(2)
      story.ask(S.read, S.fine)
    }
    #expect(judge.violations == 1)
  }

  @Test func `MS-120: nothing is uploaded once the quota is exceeded`() {
    let upload = MimiSupply.Request.requestUploads(
      Location(database: "private"), UploadRequest([]))
    let judge = Self.judge(.ms120) { story in
      story.ask(upload, S.refused(.quotaExceeded, .quotaExceeded))
      story.note(.handled(.answered(.quotaExceeded), .stopUploads), then: .seconds(1))
      story.ask(upload, S.fine)
    }
    #expect(judge.violations == 1)
  }

  @Test func `MS-123: nothing passes an open breaker, and it waits its time`() {
    let judge = Self.judge(.ms123) { story in
      for _ in 1...5 { story.ask(S.read, S.busy) }
      story.note(.breaker(.cloudKit, .open), then: .seconds(10))
      story.ask(S.read, S.fine)
      story.note(.breaker(.cloudKit, .halfOpen))
    }
    #expect(judge.violations == 2)
  }

  @Test func `MS-130: four requests under way at once are one too many`() {
    let judge = Self.judge(.ms130) { story in
      for _ in 1...4 { story.ask(S.read, S.fine, lasting: .seconds(2), waits: false) }
    }
    #expect(judge.violations == 1)
  }

  // MARK: Reading

  private static let reading: [AppCase] = [
    AppCase(.ms122) {
      $0.find(S.partners, [S.record("p", "Partner", "7")])
      $0.note(.network(isOnline: false, waiting: 0), then: .seconds(1))
      $0.note(.served(S.partners, from: .memory, [.init("p", "7")]))
    } fails: {
      $0.find(S.partners, [S.record("p", "Partner", "7")])
      $0.note(.network(isOnline: false, waiting: 0), then: .seconds(1))
      $0.note(.served(S.partners, from: .memory, [.init("p", "6")]))
    },
    AppCase(.ms124) {
      $0.ask(S.read, .unsent(.offline))
      $0.note(.network(isOnline: false, waiting: 0), then: .minutes(1))
      $0.note(.network(isOnline: true, waiting: 1))
      $0.note(.draining([1]))
    } fails: {
      $0.ask(S.read, .unsent(.offline))
      $0.now += .seconds(1)
      $0.ask(S.read, .unsent(.offline))
    },
    AppCase(.ms126) {
      $0.note(.partnersListed(missing: ["p"]))
      $0.find(S.products(of: "p"), [])
    } fails: {
      $0.note(.partnersListed(missing: ["p"]), then: .minutes(6))
      $0.find(S.products(of: "q"), [])
    },
    AppCase(.ms127) {
      $0.note(.backgroundSync, then: .seconds(60))
      $0.note(.backgroundSync)
    } fails: {
      $0.note(.backgroundSync, then: .seconds(59))
      $0.note(.backgroundSync)
    },
    AppCase(.ms129) {
      $0.find(S.partners, [])
      $0.note(.served(S.partners, from: .memory, []))
      $0.note(.started(device: "phone", keepsBudget: true))
      $0.note(.served(S.partners, from: .store, []))
      $0.note(.served(S.products(of: "p"), from: .nowhere, []))
    } fails: {
      $0.find(S.partners, [])
      $0.note(.started(device: "phone", keepsBudget: true))
      $0.note(.served(S.partners, from: .nowhere, []))
    },
  ]

  @Test func `MS-122: no request leaves in offline mode`() {
    let judge = Self.judge(.ms122) { story in
      story.note(.network(isOnline: false, waiting: 0), then: .seconds(1))
      story.ask(S.read, .unsent(.offline))
    }
    #expect(judge.violations == 1)
  }

  @Test func `MS-124: what waits for a minute after the network is back has been forgotten`() {
    let judge = Self.judge(.ms124) { story in
      story.note(.network(isOnline: true, waiting: 2), then: .seconds(61))
      story.ask(S.read, S.fine)
    }
    #expect(judge.violations == 1)
  }

  @Test func `MS-126: who loses the network owes nothing`() {
    let judge = Self.judge(.ms126) { story in
      story.note(.partnersListed(missing: ["p"]))
      story.note(.network(isOnline: false, waiting: 0), then: .minutes(10))
      story.find(S.products(of: "q"), [])
    }
    #expect(judge.violations == 0)
  }

  // MARK: Queueing

  private static let queueing: [AppCase] = [
    AppCase(.ms88) {
      $0.queue(1, .createOrder, [S.create("o")])
      $0.queue(2, .updateOrderStatus, [S.update("o", [.status: .string("cancelled")])])
      $0.queue(3, .createOrder, [S.create("lost")])
      $0.queue(4, .saveRating, [S.update("none", [.customerRating: .int64(5)])])
      $0.note(.draining([1, 3]))
      $0.ask(S.write([S.create("o"), S.create("lost")]), .unknown(.timedOut))
      $0.ask(
        S.write([S.create("o"), S.create("lost")]),
        S.replied(
          .items([
            .saved(S.record("o", "Order")),
            .failed(ItemFailure("lost", Failure(.exists, .serverRecordChanged))),
          ])))
      $0.ask(
        S.read,
        S.replied(.items([.saved(S.record("o", "Order", "2", [.status: .string("cancelled")]))])))
      $0.note(.gaveUp(4, "NOT_FOUND"))
      $0.note(.drained)
    } fails: {
      $0.queue(1, .createOrder, [S.create("o")])
      $0.note(.draining([1]))
      $0.note(.drained)
    },
    AppCase(.ms89) {
      for number in 1...3 { $0.queue(number, .saveUserProfile, [S.update("me", [:])]) }
      for number in [1, 2, 2, 3] { $0.note(.draining([number])) }
    } fails: {
      for number in 1...2 { $0.queue(number, .saveUserProfile, [S.update("me", [:])]) }
      for number in [2, 1] { $0.note(.draining([number])) }
    },
    AppCase(.ms125) {
      $0.note(.batching(records: 2))
      $0.ask(S.write([S.create("a"), S.create("b")]), S.fine)
    } fails: {
      $0.note(.batching(records: 2))
      $0.ask(S.write([S.create("a")]), S.fine)
      $0.ask(S.write([S.create("b")]), S.fine)
    },
    AppCase(.ms128) {
      $0.queue(1, .saveRating, [S.update("c", [:])])
      $0.queue(2, .saveUserProfile, [S.update("me", [:])])
      $0.queue(3, .createOrder, [S.create("o")])
      for number in [3, 2, 1] { $0.note(.draining([number])) }
    } fails: {
      $0.queue(1, .saveUserProfile, [S.update("me", [:])])
      $0.queue(2, .createOrder, [S.create("o")])
      $0.note(.draining([1]))
    },
  ]

  @Test func `MS-88: a creation that worked twice is one too many`() {
    let judge = Self.judge(.ms88) { story in
      story.queue(1, .createOrder, [S.create("o")])
      for _ in 1...2 {
        story.ask(S.write([S.create("o")]), S.replied(.items([.saved(S.record("o", "Order"))])))
      }
      story.note(.drained)
    }
    #expect(judge.violations == 1)
  }

  // MARK: Conflicts

  private static let order = S.record(
    "o", "Order", "9", [.tipCents: .int64(400), .totalCents: .int64(3_000)])
  private static let local = S.update(
    "o", tag: "1",
    [
      .tipCents: .int64(200), .totalCents: .int64(2_800),
      .deliveryInstructions: .string("Klingeln"),
    ])
  private static let delivered = S.record("o", "Order", "9", [.status: .string("delivered")])
  private static let cancelling = S.update("o", tag: "1", [.status: .string("cancelled")])

  private static let conflicts: [AppCase] = [
    AppCase(.ms86) {
      $0.ask(S.write([local]), S.conflict(local, order))
      let merged = S.update("o", tag: "9", [.deliveryInstructions: .string("Klingeln")])
      $0.ask(S.write([merged]), S.replied(.items([.saved(order)])))
      $0.note(.conflict(record: "o", rounds: 1, .merged))
    } fails: {
      $0.ask(S.write([local]), S.conflict(local, order))
      let overwriting = S.update("o", tag: "9", local.record.fields)
      $0.ask(S.write([overwriting]), S.replied(.items([.saved(order)])))
    },
    AppCase(.ms87) {
      $0.ask(S.write([cancelling]), S.conflict(cancelling, delivered))
      $0.note(.conflict(record: "o", rounds: 1, .serverWon))
    } fails: {
      $0.ask(S.write([cancelling]), S.conflict(cancelling, delivered))
      let again = S.update("o", tag: "9", cancelling.record.fields)
      $0.ask(S.write([again]), S.fine)
    },
  ]

  @Test func `MS-86: the server cannot win against a higher tip, and there are three rounds`() {
    let raised = S.update("o", tag: "1", [.tipCents: .int64(900), .totalCents: .int64(3_300)])
    let given = Self.judge(.ms86) { story in
      story.ask(S.write([raised]), S.conflict(raised, Self.order))
      story.note(.conflict(record: "o", rounds: 1, .serverWon))
    }
    #expect(given.violations == 1)
    let stubborn = Self.judge(.ms86) { story in
      story.ask(S.write([raised]), S.conflict(raised, Self.order))
      for _ in 1...4 {
        let merged = S.update(
          "o", tag: "9", [.tipCents: .int64(900), .totalCents: .int64(3_500)])
        story.ask(S.write([merged]), S.conflict(merged, Self.order))
      }
    }
    #expect(stubborn.violations == 1)
  }
}
