import Contracts
import MimiSupplyContract
import Testing
import Timekeeping

@testable import MimiSupplyJourneys

private let noon = Instant("2026-03-21T11:00:00Z")!

/// A stream of its own for each seed, which a failing test prints.
private func stream(_ seed: UInt64) -> RandomStream {
  RandomStream(seed: seed, owner: 1, purpose: 0)
}

@Suite struct `The app's retries` {
  @Test(arguments: UInt64(1)...20)
  func
    `MS-119: every wait lies between half its window and the window, and never before the backend wants it`(
      seed: UInt64
    )
  {
    var luck = stream(seed)
    // The table of §7.2, by hand: 1, 2, 4, 8, 16 s, then 30 s.
    let windows = [1.0, 2, 4, 8, 16, 30, 30, 30]
    for attempt in 1...8 {
      let backoff = Backoff()
      let window = windows[attempt - 1]
      let plain = backoff.wait(
        after: attempt, .answered(.zoneBusy), unit: luck.unit(), retryAfter: nil)
      #expect(plain.seconds >= window / 2 && plain.seconds <= window, "seed \(seed)")
      let asked = Span(seconds: 60 * luck.unit())
      let polite = backoff.wait(
        after: attempt, .answered(.zoneBusy), unit: luck.unit(), retryAfter: asked)
      #expect(polite >= asked && polite.seconds >= window / 2, "seed \(seed)")
    }
  }

  @Test func `MS-119: the jitter reaches both ends of its half`() {
    let backoff = Backoff()
    #expect(
      backoff.wait(after: 2, .networkFailure, unit: 0, retryAfter: nil) == .seconds(1))
    #expect(
      backoff.wait(after: 2, .networkFailure, unit: 1, retryAfter: nil) == .seconds(2))
  }

  private static let documented: [(AppError, Int64)] = [
    (.answered(.limitExceeded), 60), (.answered(.zoneBusy), 30),
    (.answered(.serviceUnavailable), 30), (.networkFailure, 15), (.answered(.internalError), 5),
  ]

  @Test(arguments: documented)
  func `MS-119: the documented profile waits by the kind of error`(error: AppError, seconds: Int64)
  {
    let backoff = Backoff(profile: .documented)
    #expect(backoff.wait(after: 1, error, unit: 0.3, retryAfter: nil) == .seconds(seconds))
    #expect(
      backoff.wait(after: 1, error, unit: 0.3, retryAfter: .seconds(90)) == .seconds(90))
  }
}

@Suite struct `The app's rate budget` {
  @Test(arguments: UInt64(1)...40)
  func `MS-130: no stretch of any length sees more than ten requests and one a second`(
    seed: UInt64
  ) {
    var luck = stream(seed)
    var budget = RateBudget()
    var now = noon
    var sent: [Instant] = []
    for _ in 1...200 {
      now += Span(seconds: luck.exponential(mean: 0.4))
      if let later = budget.take(at: now) {
        #expect(later > now)
        now = max(now, later)
        continue
      }
      sent.append(now)
      budget.finish(succeeded: luck.chance(0.9))
    }
    for first in sent.indices {
      for last in first..<sent.count {
        let lasts = (sent[last] - sent[first]).seconds
        #expect(Double(last - first + 1) <= 10 + lasts + 1e-6, "seed \(seed)")
      }
    }
  }

  @Test
  func
    `MS-130: who asks for more pauses for 5, 10, 20, 40, 60 seconds, and for 5 again after a minute`()
  {
    var budget = RateBudget()
    var now = noon
    for _ in 1...10 {
      let later = budget.take(at: now)
      #expect(later == nil)
    }
    var pauses: [Double] = []
    for _ in 1...6 {
      while budget.take(at: now) == nil {}
      let later = budget.take(at: now)!
      pauses.append((later - now).seconds)
      now = later
    }
    // After the pause of a minute the count begins anew.
    #expect(pauses == [5, 10, 20, 40, 60, 5])
  }

  @Test func `MS-130: failures shrink the budget, successes let it grow to what it was`() {
    var budget = RateBudget()
    func finish(_ succeeded: Int, of count: Int) {
      for number in 0..<count { budget.finish(succeeded: number < succeeded) }
    }
    finish(4, of: 10)
    #expect(budget.size == 5)
    finish(7, of: 10)
    #expect(budget.size == 4)
    finish(9, of: 10)
    #expect(budget.size == 4)
    finish(10, of: 10)
    #expect(budget.size == 5)
    for _ in 1...9 { finish(10, of: 10) }
    #expect(budget.size == 10)
    for _ in 1...9 { finish(0, of: 10) }
    #expect(budget.size == 1)
  }

  @Test func `MS-130: three requests are under way at once, fifty wait, and the urgent go first`() {
    var line = RequestLine()
    for _ in 1...3 {
      let isIn = line.enter(.normal)
      #expect(isIn && line.isTurn(of: .normal))
      line.begin(.normal)
    }
    for _ in 1...50 {
      let isIn = line.enter(.low)
      #expect(isIn)
    }
    let isOneTooMany = !line.enter(.critical)
    #expect(isOneTooMany)
    #expect(!line.isTurn(of: .low))
    line.finish()
    #expect(line.isTurn(of: .low))
    line.give(up: .low)
    let hasPlace = line.enter(.high)
    #expect(hasPlace)
    #expect(!line.isTurn(of: .low) && line.isTurn(of: .high))
  }
}

@Suite struct `The app's circuit breakers` {
  private static let figures: [(BreakerName, Int, Int64, Int)] = [
    (.cloudKit, 5, 30, 3), (.location, 5, 30, 3), (.network, 3, 15, 2), (.payment, 2, 60, 5),
  ]

  @Test(arguments: figures)
  func `MS-123: each opens, waits and closes by its own figures`(
    name: BreakerName, failures: Int, recovery: Int64, successes: Int
  ) {
    var breaker = Breaker(.of(name))
    var now = noon
    func turn(_ isGood: Bool) {
      breaker.begin()
      breaker.finish(succeeded: isGood, at: now)
    }
    for _ in 1..<failures { turn(false) }
    turn(true)
    for _ in 1..<failures { turn(false) }
    #expect(breaker.state == .closed, "a success starts the count anew")
    turn(false)
    #expect(breaker.state == .open)
    now += .seconds(recovery) - .milliseconds(1)
    let admitted1 = breaker.admits(at: now)
    #expect(!admitted1)
    now += .milliseconds(1)
    let admitted2 = breaker.admits(at: now)
    #expect(admitted2 && breaker.state == .halfOpen)
    turn(false)
    #expect(breaker.state == .open, "a failure while half-open opens again")
    now += .seconds(recovery)
    let admitted3 = breaker.admits(at: now)
    #expect(admitted3)
    for _ in 1..<successes { turn(true) }
    #expect(breaker.state == .halfOpen)
    turn(true)
    #expect(breaker.state == .closed)
  }

  @Test func `MS-123: ten requests at once while closed, one while half-open`() {
    var breaker = Breaker(.of(.network))
    for _ in 1...10 {
      let admitted4 = breaker.admits(at: noon)
      #expect(admitted4)
      breaker.begin()
    }
    let admitted5 = breaker.admits(at: noon)
    #expect(!admitted5)
    for _ in 1...3 { breaker.finish(succeeded: false, at: noon) }
    let later = noon + .seconds(15)
    let admitted6 = breaker.admits(at: later)
    #expect(admitted6)
    breaker.begin()
    let admitted7 = breaker.admits(at: later)
    #expect(!admitted7)
  }
}

@Suite struct `The app's levels of degradation` {
  private static let levels: [(Set<AppService>, DegradationLevel)] = [
    ([], .none), ([.push], .minor), ([.push, .analytics], .minor),
    ([.push, .analytics, .location], .moderate), ([.cloudKit], .moderate),
    ([.payment, .push], .moderate), ([.cloudKit, .payment], .severe),
    ([.authentication, .payment, .push], .severe),
  ]

  @Test(arguments: levels)
  func `MS-121: they follow from which services are degraded`(
    degraded: Set<AppService>, level: DegradationLevel
  ) { #expect(ServiceHealth.level(of: degraded) == level) }

  @Test func `MS-121: a service below four fifths is degraded, seen every half minute`() {
    var health = ServiceHealth()
    func finish(_ good: Int, _ bad: Int) {
      for _ in 0..<good { health.finish(.push, succeeded: true) }
      for _ in 0..<bad { health.finish(.push, succeeded: false) }
    }
    finish(8, 2)
    let atFirst = health.probe(at: noon)
    #expect(atFirst.isEmpty)
    finish(0, 1)
    let early = health.probe(at: noon + .seconds(29))
    #expect(early.isEmpty, "it is not time yet")
    let changes = health.probe(at: noon + .seconds(30))
    #expect(changes.map(\.service) == [.push])
    #expect(changes.first?.isDegraded == true && changes.first?.succeeded == 7)
    #expect(health.degraded == [.push])
    finish(10, 0)
    let recovered = health.probe(at: noon + .seconds(60))
    #expect(recovered.map(\.isDegraded) == [false])
  }
}

@Suite struct `The app's memory` {
  private static func query(_ number: Int) -> RecordQuery {
    RecordQuery(RecordType("Product \(number)"))
  }

  private static func record(_ name: RecordName, _ tag: String) -> CloudRecord {
    let stamp = Stamp(noon, by: "_system", on: nil)
    return CloudRecord(
      name: name, type: "Product", changeTag: tag, zone: Zone(), fields: [:], created: stamp,
      modified: stamp)
  }

  @Test func `MS-129: memory, then the store, then nowhere`() {
    var cache = RecordCache()
    let query = Self.query(1)
    let found1 = cache.find(query, at: noon, inStore: true)
    #expect(found1 == nil)
    cache.keep([Self.record("a", "1")], for: query, at: noon)
    let found2 = cache.find(query, at: noon, inStore: true)
    #expect(found2?.level == .memory)
    cache.forgetMemory()
    let found3 = cache.find(query, at: noon, inStore: true)
    #expect(found3?.level == .store)
    let found4 = cache.find(query, at: noon, inStore: true)
    #expect(found4?.level == .memory)
    let found5 = cache.find(query, at: noon + .days(7), inStore: true)
    #expect(found5 == nil)
  }

  @Test func `MS-122: the latest state of a list replaces the one before`() {
    var cache = RecordCache()
    cache.keep([Self.record("a", "1")], for: Self.query(1), at: noon)
    cache.keep([Self.record("a", "2")], for: Self.query(1), at: noon)
    let found6 = cache.find(Self.query(1), at: noon, inStore: true)
    #expect(found6?.records.map(\.changeTag) == ["2"])
  }

  @Test func `MS-129: memory holds a hundred lists, the store the rest`() {
    var cache = RecordCache()
    for number in 0...100 { cache.keep([], for: Self.query(number), at: noon) }
    let found7 = cache.find(Self.query(100), at: noon, inStore: true)
    #expect(found7?.level == .memory)
    let found8 = cache.find(Self.query(0), at: noon, inStore: true)
    #expect(found8?.level == .store)
  }
}

@Suite struct `The app's offline queue` {
  private static func item(
    _ record: RecordName, _ kind: Modification.Kind = .create
  ) -> [Modification.Item] { [.init(kind, RecordDraft(name: record))] }

  private static func numbers(_ queue: OfflineQueue, most: Int = 400) -> [Int] {
    queue.next(most: most, priorities: true, fifo: true).map(\.write.number)
  }

  @Test func `MS-128: what is high goes first, and creations go together`() {
    var queue = OfflineQueue()
    _ = queue.add(.saveRating, database: "private", Self.item("rating", .update))
    _ = queue.add(.saveUserProfile, database: "private", Self.item("profile", .update))
    _ = queue.add(.createOrder, database: "private", Self.item("order"))
    _ = queue.add(.saveDriverLocation, database: "private", Self.item("place"))
    #expect(Self.numbers(queue) == [3, 4])
    #expect(Self.numbers(queue, most: 1) == [3])
    queue.remove(3)
    queue.remove(4)
    #expect(Self.numbers(queue) == [2])
    queue.remove(2)
    #expect(Self.numbers(queue) == [1])
  }

  @Test(arguments: UInt64(1)...40)
  func `MS-89: writes of one record leave in their order, whatever fails in between`(seed: UInt64) {
    var luck = stream(seed)
    var queue = OfflineQueue()
    var last: [RecordName: Int] = [:]
    for _ in 1...40 {
      let record: RecordName = "record-\(luck.pick(0..<4))"
      let kind = luck.pick([QueuedKind.createOrder, .updateOrderStatus])
      _ = queue.add(
        kind, database: "private", Self.item(record, kind == .createOrder ? .create : .update))
    }
    var rounds = 0
    while !queue.isEmpty, rounds < 1_000 {
      rounds += 1
      for entry in queue.next(most: 5, priorities: true, fifo: true) {
        let (number, record) = (entry.write.number, entry.write.records[0])
        #expect((last[record] ?? 0) <= number, "seed \(seed)")
        if luck.chance(0.3) {
          if !queue.putBack(number) { queue.remove(number) }
          break
        }
        last[record] = number
        queue.remove(number)
      }
    }
    #expect(queue.isEmpty, "seed \(seed)")
  }

  @Test func `MS-88: a write is tried again three times`() {
    var queue = OfflineQueue()
    let write = queue.add(.createOrder, database: "private", Self.item("order"))
    let tries = (1...4).map { _ in queue.putBack(write.number) }
    #expect(tries == [true, true, true, false])
  }
}

@Suite struct `What the app does about errors` {
  /// §7.1, by hand.
  private static let table: [(AppError, ErrorHandling)] = [
    (.networkUnavailable, .goOffline), (.networkFailure, .retry),
    (.responseLost, .lookUpFirst), (.answered(.notAuthenticated), .authenticate),
    (.answered(.quotaExceeded), .stopUploads), (.answered(.zoneBusy), .retry),
    (.answered(.serverRecordChanged), .resolve), (.answered(.requestRateLimited), .retry),
    (.answered(.serviceUnavailable), .retry), (.answered(.limitExceeded), .split),
    (.answered(.batchRequestFailed), .repair), (.answered(.permissionFailure), .tellUser),
    (.answered(.unknownItem), .treatAsNone), (.answered(.zoneNotFound), .treatAsNone),
    (.answered(.invalidArguments), .giveUp), (.answered(.constraintViolation), .tellUser),
    (.answered(.referenceViolation), .reloadReferences),
    (.answered(.changeTokenExpired), .fetchEverything), (.answered(.badContainer), .giveUp),
    (.answered(.badDatabase), .giveUp), (.answered(.incompatibleVersion), .giveUp),
    (.answered(.assetFileNotFound), .uploadAgain), (.answered(.internalError), .retry),
  ]

  @Test(arguments: table)
  func `MS-120: every code has its documented handling`(error: AppError, handling: ErrorHandling) {
    #expect(ErrorTable.handling(of: error, isWholeBatch: true) == handling)
    if error == .answered(.limitExceeded) {
      #expect(ErrorTable.handling(of: error, isWholeBatch: false) == .giveUp)
    }
  }

  @Test func `MS-120: an answer that never came may have worked, one that could not leave has not`()
  {
    #expect(ErrorTable.error(of: .unknown(.timedOut)) == .responseLost)
    #expect(ErrorTable.error(of: .unsent(.offline)) == .networkUnavailable)
    #expect(ErrorTable.error(of: .unsent(.connectionRefused)) == .networkFailure)
    #expect(ErrorTable.error(of: .unknown(.serverError)) == .answered(.internalError))
  }
}
