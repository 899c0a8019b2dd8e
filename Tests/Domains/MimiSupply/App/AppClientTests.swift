import Contracts
import Journeys
import MimiSupplyContract
import Testing
import Timekeeping

@testable import MimiSupplyJourneys

/// A backend that answers as a test says, and a person on whose device the app runs; time passes at once.
private final class Wire {
  var asked: [(request: MimiSupply.Request, attempt: Int, at: Instant)] = []
  var notes: [AppNote] = []
  /// Answers the n-th request, counted from 1.
  var answer: (Int, MimiSupply.Request) -> Outcome<MimiSupply>
  private(set) var me: Person<MimiSupply>!

  init(_ answer: @escaping (Int, MimiSupply.Request) -> Outcome<MimiSupply>) {
    self.answer = answer
    let actions = PersonActions<MimiSupply>(
      mayRunAhead: { _, _ in true }, sleep: { $2.resume(returning: .due) },
      ask: { [unowned self] in take($0, $1, $2) },
      wait: { $3.resume(returning: .deadline) },
      note: { [unowned self] _, note in if case .app(let note) = note { notes.append(note) } },
      listen: { _, _ in })
    me = Person(id: PersonID(1), name: "app", cell: 0, seed: 1, actions: actions)
    me.now = AppStory.start
  }

  private func take(
    _ person: Person<MimiSupply>, _ asks: [Ask<MimiSupply>],
    _ answering: UnsafeContinuation<[Outcome<MimiSupply>]?, Never>
  ) {
    let outcomes = asks.map { ask in
      asked.append((ask.request, ask.attempt, person.now))
      return person.isOnline ? answer(asked.count, ask.request) : .unsent(.offline)
    }
    person.now += .milliseconds(100)
    answering.resume(returning: outcomes)
  }

  func app(_ change: (inout AppSettings) -> Void = { _ in }) -> AppClient {
    var settings = AppSettings()
    change(&settings)
    return AppClient(
      MimiSupply.Credential(apiToken: "mimi-app", userToken: "session", deviceID: "phone"),
      settings)
  }

  /// How many records each write had.
  var writes: [Int] {
    asked.compactMap { $0.request.items.isEmpty ? nil : $0.request.items.count }
  }
}

@Suite struct `The app at its wire` {
  private typealias S = AppStory

  /// Every write is stored, every name is found as it was written last.
  private static func stored(_ request: MimiSupply.Request) -> Outcome<MimiSupply> {
    S.replied(
      .items(
        request.items.map { item in
          .saved(
            S.record(
              item.record.name ?? "", item.record.type ?? "Order", "2",
              item.record.fields.written))
        }))
  }

  /// Of the record that was saved.
  private static func name(_ result: ItemResult?) -> RecordName? {
    if case .saved(let record)? = result { record.name } else { nil }
  }

  @Test func `MS-119: tries three times with growing waits, then goes offline for a while`()
    async throws
  {
    let wire = Wire { _, _ in .unsent(.connectionRefused) }
    let app = wire.app()
    _ = try await app.ask(S.read, as: wire.me)
    #expect(wire.asked.map(\.attempt) == [1, 2, 3])
    let waits = zip(wire.asked.dropFirst(), wire.asked).map { ($0.at - $1.at).seconds - 0.1 }
    #expect((0.5...1).contains(waits[0]) && (1...2).contains(waits[1]))
    #expect(wire.notes.contains(.network(isOnline: false, waiting: 0)))
  }

  @Test func `MS-119: waits as long as the backend wants it`() async throws {
    let wire = Wire { number, _ in number == 1 ? S.busy : S.fine }
    let app = wire.app()
    _ = try await app.ask(S.read, as: wire.me)
    #expect(wire.asked[1].at - wire.asked[0].at == .milliseconds(5_100))
  }

  @Test func `MS-120: looks first whether a write worked whose answer was lost`() async throws {
    let item = S.create("o")
    let wire = Wire { number, _ in
      number == 1 ? .unknown(.timedOut) : S.replied(.items([.saved(S.record("o", "Order"))]))
    }
    let results = try await wire.app().write([item], as: wire.me)
    #expect(wire.writes == [1], "it is not written again")
    #expect(Self.name(results.first) == "o")
  }

  @Test func `MS-120: repeats a write that had not worked, under its name`() async throws {
    let wire = Wire { number, request in
      switch number {
      case 1: .unknown(.timedOut)
      case 2: S.replied(.items([.failed(ItemFailure("o", Failure(.notFound, .unknownItem)))]))
      default: Self.stored(request)
      }
    }
    let results = try await wire.app().write([S.create("o")], as: wire.me)
    #expect(wire.asked.map(\.attempt) == [1, 1, 2])
    #expect(wire.asked[0].request == wire.asked[2].request)
    #expect(Self.name(results.first) == "o")
  }

  @Test func `MS-120: splits what is too much for one request`() async throws {
    let wire = Wire { _, request in
      request.items.count > 2
        ? S.refused(.badRequest, .limitExceeded) : Self.stored(request)
    }
    let outcome = try await wire.app().ask(
      S.write((1...5).map { S.create("o\($0)") }), as: wire.me)
    #expect(wire.writes == [5, 2, 3, 1, 2])
    #expect(outcome.items.compactMap { Self.name($0) } == ["o1", "o2", "o3", "o4", "o5"])
  }

  @Test func `MS-120: signs in again and repeats once`() async throws {
    let wire = Wire { _, _ in S.refused(.authenticationFailed, .notAuthenticated) }
    let app = wire.app()
    var signIns = 0
    app.signInAgain = { _ async throws(JourneyEnded) -> Bool in
      signIns += 1
      return true
    }
    _ = try await app.ask(S.read, as: wire.me)
    #expect(signIns == 1 && wire.asked.count == 2)
  }

  @Test func `MS-86: a conflict is merged and saved with the server's tag, three times at most`()
    async throws
  {
    let server = S.record(
      "o", "Order", "9", [.tipCents: .int64(400), .totalCents: .int64(3_000)])
    let wire = Wire { _, request in S.conflict(request.items[0], server) }
    let local = S.update("o", tag: "1", [.deliveryInstructions: .string("Klingeln")])
    let results = try await wire.app().write([local], as: wire.me)
    #expect(wire.asked.count == 4)
    #expect(wire.asked.dropFirst().allSatisfy { $0.request.items[0].record.changeTag == "9" })
    guard case .failed(let failed)? = results.first else {
      Issue.record("it was saved")
      return
    }
    #expect(failed.failure.code == .conflict)
    #expect(wire.notes.contains(.conflict(record: "o", rounds: 3, .reported)))
  }

  @Test func `MS-88: a name that is taken by the very same record is success`() async throws {
    let item = S.create("o")
    let wire = Wire { _, _ in
      S.replied(
        .items([
          .failed(
            ItemFailure(
              "o", Failure(.exists, .serverRecordChanged),
              conflict: .init(
                server: S.record("o", "Order"), client: item.record, ancestor: nil)))
        ]))
    }
    #expect(Self.name(try await wire.app().write([item], as: wire.me).first) == "o")
  }

  @Test func `MS-124, MS-88: what was saved without a network goes out once when it is back`()
    async throws
  {
    let wire = Wire { _, request in Self.stored(request) }
    let app = wire.app()
    app.coverage.lose(from: wire.me.now, for: .minutes(3))
    for name: RecordName in ["a", "b"] {
      guard
        case .queued = try await app.save([S.create(name)], queuedAs: .createOrder, as: wire.me)
      else {
        Issue.record("it was not queued")
        return
      }
    }
    #expect(wire.asked.isEmpty)
    #expect(app.wakes(after: wire.me.now) == AppStory.start + .minutes(3))
    wire.me.now = AppStory.start + .minutes(3)
    try await app.wake(as: wire.me)
    try await app.wake(as: wire.me)
    #expect(wire.writes == [2])
    #expect(wire.notes.suffix(4).contains(.draining([1, 2])) && wire.notes.last == .drained)
    #expect(app.wakes(after: wire.me.now) == nil)
  }

  @Test func `MS-88: what the backend refuses when it is sent late is reported`() async throws {
    let wire = Wire { _, _ in
      S.replied(.items([.failed(ItemFailure("a", Failure(.badRequest, .constraintViolation)))]))
    }
    let app = wire.app()
    app.coverage.lose(from: wire.me.now, for: .minutes(1))
    _ = try await app.save([S.create("a")], queuedAs: .createOrder, as: wire.me)
    wire.me.now += .minutes(1)
    try await app.wake(as: wire.me)
    #expect(wire.notes.contains(.gaveUp(1, "BAD_REQUEST")) && app.queue.isEmpty)
  }

  @Test
  func `MS-122, MS-129: without a network the last state serves, from memory and from the store`()
    async throws
  {
    let record = S.record("p", "Partner", "7")
    let wire = Wire { _, _ in S.replied(.found([record], continuationMarker: nil)) }
    let app = wire.app()
    _ = try await app.find(Query(S.partners), as: wire.me)
    app.coverage.lose(from: wire.me.now, for: .minutes(9))
    #expect(try await app.find(Query(S.partners), as: wire.me) == [record])
    app.restart(as: wire.me)
    #expect(try await app.find(Query(S.partners), as: wire.me) == [record])
    #expect(wire.asked.count == 1)
    let levels = wire.notes.compactMap { note -> CacheLevel? in
      if case .served(_, let level, _) = note { level } else { nil }
    }
    #expect(levels == [.memory, .store])
  }

  @Test func `MS-123: an open breaker holds requests back`() async throws {
    let wire = Wire { _, _ in S.refused(.internalError, .internalError) }
    let app = wire.app()
    for _ in 1...4 { _ = try await app.ask(S.read, as: wire.me) }
    #expect(wire.asked.count == 5)
    #expect(wire.notes.contains(.breaker(.cloudKit, .open)))
  }

  @Test func `MS-125: several records leave in one request`() async throws {
    let wire = Wire { _, request in Self.stored(request) }
    _ = try await wire.app().write((1...3).map { S.create("o\($0)") }, as: wire.me)
    #expect(wire.writes == [3])
    #expect(wire.notes.contains(.batching(records: 3)))
  }

  @Test func `MS-126: the products of the first three partners are fetched, once`() async throws {
    let wire = Wire { _, _ in S.replied(.found([], continuationMarker: nil)) }
    let app = wire.app()
    let partners = (1...5).map { S.record("p\($0)", "Partner") }
    try await app.prefetch(after: partners, as: wire.me)
    try await app.prefetch(after: partners, as: wire.me)
    #expect(wire.asked.count == 3)
    #expect(wire.notes.contains(.partnersListed(missing: ["p1", "p2", "p3"])))
    #expect(wire.notes.last == .partnersListed(missing: []))
  }

  @Test func `MS-127: a minute passes between background synchronisations`() async throws {
    let wire = Wire { _, _ in S.replied(.found([], continuationMarker: nil)) }
    let app = wire.app()
    for second in [0, 59, 60] as [Int64] {
      wire.me.now = AppStory.start + .seconds(second)
      try await app.synchroniseInBackground([], as: wire.me)
    }
    #expect(wire.notes.count(where: { $0 == .backgroundSync }) == 2)
  }

  @Test func `MS-130: a hurry waits for its tokens, an attacker does not`() async throws {
    for keepsBudget in [true, false] {
      let wire = Wire { _, _ in S.fine }
      let app = wire.app { $0.keepsBudget = keepsBudget }
      for _ in 1...12 { _ = try await app.ask(S.read, as: wire.me) }
      let lasted = wire.asked[11].at - wire.asked[0].at
      #expect(keepsBudget ? lasted > .seconds(4) : lasted < .seconds(2))
    }
  }

  @Test func `MS-125 and MS-130 obey their switches`() async throws {
    for limit in [nil, MimiSupply.Rule.ms125, .ms130] {
      let wire = Wire { _, request in Self.stored(request) }
      let app = wire.app { $0.rules = Rules(off: limit.map { [$0] } ?? []) }
      _ = try await app.write([S.create("a"), S.create("b")], as: wire.me)
      #expect(wire.writes == (limit == .ms125 ? [1, 1] : [2]))
      for number in 1...12 { _ = try await app.write([S.create("c\(number)")], as: wire.me) }
      let lasted = wire.asked[wire.asked.count - 1].at - wire.asked[0].at
      #expect((lasted > .seconds(3)) == (limit != .ms130), "\(lasted)")
    }
  }

  /// What the app does with a rule switched off, where it is simplest to see.
  @Test(arguments: [
    MimiSupply.Rule.ms119, .ms120, .ms122, .ms123, .ms124, .ms126, .ms127, .ms129,
  ])
  func `obeys its switches`(limit: MimiSupply.Rule) async throws {
    func course(_ rules: Rules<MimiSupply.Rule>) async throws -> ([Instant], [AppNote]) {
      let wire = Wire { number, request in
        request.items.isEmpty && number % 7 < 6
          ? S.replied(.found([], continuationMarker: nil)) : S.busy
      }
      let app = wire.app { $0.rules = rules }
      _ = try await app.find(Query(S.partners), as: wire.me)
      try await app.prefetch(after: [S.record("p", "Partner")], as: wire.me)
      for _ in 1...2 { try await app.synchroniseInBackground([], as: wire.me) }
      for _ in 1...12 { _ = try await app.ask(S.read, as: wire.me) }
      _ = try await app.write([S.create("a"), S.create("b")], as: wire.me)
      for _ in 1...3 { _ = try await app.write([S.create("a")], as: wire.me) }
      app.restart(as: wire.me)
      app.coverage.lose(from: wire.me.now, for: .minutes(9))
      _ = try await app.find(Query(S.partners), as: wire.me)
      return (wire.asked.map(\.at), wire.notes)
    }
    let kept = try await course(Rules<MimiSupply.Rule>())
    let off = try await course(Rules(off: [limit]))
    #expect(kept.0 != off.0 || kept.1 != off.1)
  }
}
