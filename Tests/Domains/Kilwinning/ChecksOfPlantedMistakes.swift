import Backends
import Contracts
import KilwinningContract
import KilwinningDomain
import KilwinningTwin
import Observations
import Scenarios
import Simulation
import Testing
import Timekeeping
import WireLine

/// Something that is wrong in a backend and no switched rule.
struct Mistake: Sendable, CustomStringConvertible {
  typealias Answer = Result<Kilwinning.Reply, Kilwinning.Refusal>
  /// How a request is handled, by a backend that remembers when each tornata was written last.
  typealias Handling =
    @Sendable (
      inout KilwinningTwin, inout [Tornata.ID: Instant], Kilwinning.Request, Caller<Kilwinning>,
      Instant
    ) -> Handled<Kilwinning>
  let description: String
  let spoil: @Sendable (Kilwinning.Request, Answer) -> Answer
  private(set) var handle: Handling = { twin, _, request, caller, now in
    twin.handle(request, from: caller, at: now)
  }

  init(
    _ description: String, _ spoil: @escaping @Sendable (Kilwinning.Request, Answer) -> Answer
  ) { (self.description, self.spoil) = (description, spoil) }

  /// In what it does.
  static func handling(_ what: String, _ handle: @escaping Handling) -> Mistake {
    var mistake = Mistake(what) { $1 }
    mistake.handle = handle
    return mistake
  }

  /// An operation that refuses for no reason.
  static func refuses(_ endpoint: Endpoint<Kilwinning>, _ kind: Kilwinning.RefusalKind) -> Mistake {
    let operation = Kilwinning.table.index(of: endpoint)
    return Mistake("\(Kilwinning.operations[operation].name) is refused by \(kind)") {
      Kilwinning.operation(of: $0) == operation
        ? $1.flatMap { _ in .failure(Kilwinning.Refusal(kind, kind.message)) } : $1
    }
  }

  /// In the replies.
  static func reply(
    _ what: String, _ spoil: @escaping @Sendable (Kilwinning.Reply) -> Kilwinning.Reply
  ) -> Mistake { Mistake(what) { $1.map(spoil) } }

  static func figures(_ what: String, _ spoil: @escaping @Sendable (inout Statistiche) -> Void)
    -> Mistake
  {
    reply(what) {
      guard case .statistiche(var it) = $0 else { return $0 }
      spoil(&it)
      return .statistiche(it)
    }
  }

  static func tornate(_ what: String, _ spoil: @escaping @Sendable (inout [Tornata]) -> Void)
    -> Mistake
  {
    reply(what) {
      guard case .tornate(let all) = $0 else { return $0 }
      var list = all.items
      spoil(&list)
      return .tornate(SharedList(list))
    }
  }

  static func presenze(_ what: String, _ spoil: @escaping @Sendable (inout [Presenza]) -> Void)
    -> Mistake
  {
    reply(what) {
      guard case .presenze(var list) = $0 else { return $0 }
      spoil(&list)
      return .presenze(list)
    }
  }

  static func riepilogo(
    _ what: String, _ spoil: @escaping @Sendable (inout [RigaRiepilogo]) -> Void
  ) -> Mistake {
    reply(what) {
      guard case .riepilogo(var list) = $0 else { return $0 }
      spoil(&list)
      return .riepilogo(list)
    }
  }

  static func file(_ what: String, _ spoil: @escaping @Sendable (String) -> String) -> Mistake {
    reply(what) {
      guard case .esportazione(var it) = $0 else { return $0 }
      it.csv = spoil(it.csv)
      return .esportazione(it)
    }
  }

  static func code(_ from: Kilwinning.RefusalKind, as to: Kilwinning.RefusalKind) -> Mistake {
    Mistake("\(from.rawValue) is told as \(to.rawValue)") { _, answer in
      answer.mapError {
        var refusal = $0
        if refusal.kind == from { refusal.kind = to }
        return refusal
      }
    }
  }

  static let all: [Mistake] = [
    .figures("percentages are rounded up") {
      if $0.total > 0 { $0.percentage = (100 * $0.presences + $0.total - 1) / $0.total }
    },
    .figures("a rate has two digits") { $0.rate = ($0.rate * 100).rounded() / 100 },
    .figures("one tornata too many counts") { $0.total += 1 },
    .figures("the streak stops one too early") { $0.streak = max(0, $0.streak - 1) },
    .figures("the record is the streak") { $0.record = $0.streak },
    .figures("absences forget one") { $0.absences = max(0, $0.absences - 1) },
    .tornate("tornate come oldest first") { $0.reverse() },
    .tornate("the oldest tornata is missing") { if $0.count > 5 { $0.removeLast() } },
    .tornate("a tornata loses its presenter and dinner") {
      for index in $0.indices { $0[index].cena = false }
    },
    .tornate("past tornate are shown as held") {
      for index in $0.indices.dropFirst(8) where $0[index].stato == .programmata {
        $0[index].stato = .completata
      }
    },
    .presenze("a record is missing") { if $0.count > 1 { $0.removeFirst() } },
    .presenze("records are numbered anew") {
      for index in $0.indices { $0[index].id = Serial(index + 1) }
    },
    .presenze("confirmed_at is an hour off") {
      for index in $0.indices {
        $0[index].confirmedAt = $0[index].confirmedAt.map { $0 + .hours(1) }
      }
    },
    .riepilogo("rows come by name alone") { $0.sort { $0.nome < $1.nome } },
    .riepilogo("rows without presence are left out") { $0.removeAll { $0.presenze == 0 } },
    .riepilogo("a row rounds its percentage") {
      for index in $0.indices where $0[index].tornateDisponibili > 0 {
        $0[index].percentuale =
          (200 * $0[index].presenze + $0[index].tornateDisponibili)
          / (2 * $0[index].tornateDisponibili)
      }
    },
    .file("names are not quoted") { $0.replacing("\"", with: "") },
    .file("all names are quoted") { $0.replacing(",Maestro,", with: "\",Maestro,") },
    .file("the last line has no end") { String($0.dropLast()) },
    .reply("everybody is an administrator") {
      guard case .fratello(var it) = $0 else { return $0 }
      it.adminAccess = true
      return .fratello(it)
    },
    .reply("a session is said to last a second longer") {
      guard case .loggedIn(var it) = $0 else { return $0 }
      it.expiresAt += .seconds(2)
      return .loggedIn(it)
    },
    .reply("fratelli come by number") {
      guard case .fratelli(let all) = $0 else { return $0 }
      return .fratelli(SharedList(all.sorted { $0.id < $1.id }))
    },
    .reply("the term is told the other way round") {
      guard case .confirmed(var it) = $0 else { return $0 }
      it.oltreTermine.toggle()
      return .confirmed(it)
    },
    .code(.sessioneScaduta, as: .nonAutenticato), .code(.tornataAnnullata, as: .tornataNonTrovata),
    .code(.accessoNegato, as: .nonAutenticato), .code(.campoMancante, as: .campoNonValido),
    .code(.dateNonCoerenti, as: .campoNonValido), .code(.chiaveRiusata, as: .campoNonValido),
    .code(.nonAutenticato, as: .sessioneScaduta), .code(.campoNonValido, as: .campoMancante),
    .code(.annoNonValido, as: .campoNonValido), .code(.statoNonValido, as: .annoNonValido),
    .code(.credenzialiNonValide, as: .fratelloNonTrovato),
    .code(.fratelloNonTrovato, as: .tornataNonTrovata),
    .code(.tornataNonTrovata, as: .fratelloNonTrovato),
    .code(.tornataPreIniziazione, as: .tornataAnnullata),
    .code(.rottaNonTrovata, as: .metodoNonConsentito),
    .code(.jsonNonValido, as: .campoNonValido), .code(.corpoTroppoGrande, as: .jsonNonValido),
    .refuses(Kilwinning.me, .nonAutenticato), .refuses(Kilwinning.logOut, .sessioneScaduta),
    .refuses(Kilwinning.riepilogo, .annoNonValido), .refuses(Kilwinning.tornate, .statoNonValido),
    .refuses(Kilwinning.exportRiepilogo, .annoNonValido),
    .refuses(Kilwinning.statistiche, .accessoNegato),
    .refuses(Kilwinning.createTornata, .campoMancante),
    .refuses(Kilwinning.deleteTornata, .tornataNonTrovata),
    Mistake("what is wrong with a body is said before whether there is such a thing") {
      request, answer in
      guard case .updateTornata(let asked) = request, case .failure(let fault) = asked.change,
        case .failure(let refusal) = answer, refusal.kind == .tornataNonTrovata
      else { return answer }
      return .failure(Kilwinning.Refusal(.campoNonValido, "", field: fault.path))
    },
    Mistake("a refusal names another member") { _, answer in
      answer.mapError {
        var refusal = $0
        if refusal.field != nil { refusal.field = "body" }
        return refusal
      }
    },
    .handling("of two updates of a tornata at once the second one is answered and lost") {
      twin, written, request, caller, now in
      guard case .updateTornata(let asked) = request, case .success(let change) = asked.change
      else { return twin.handle(request, from: caller, at: now) }
      guard let last = written[asked.id], now - last < .milliseconds(900) else {
        written[asked.id] = now
        return twin.handle(request, from: caller, at: now)
      }
      let nothing = Kilwinning.Request.updateTornata(TornataUpdate(asked.id) { _ in })
      var handled = twin.handle(nothing, from: caller, at: now)
      if case .now(.success(.tornata(let present))) = handled.answer {
        handled.answer = .now(.success(.tornata(change.applied(to: present))))
      }
      return handled
    },
    .handling("of two deletions of a tornata at once both succeed") {
      twin, written, request, caller, now in
      let handled = twin.handle(request, from: caller, at: now)
      guard case .deleteTornata(let id) = request else { return handled }
      defer { written[id] = now }
      guard let last = written[id], now - last < .milliseconds(900) else { return handled }
      return Handled(.now(.success(.deleted(message: "Tornata eliminata"))))
    },
  ]

  /// Found where a request takes no time.
  static let ofTicks: [Mistake] = [(-1, "long"), (1, "short")].map { tick, word in
    .handling("a session lives a tick too \(word)") { twin, _, request, caller, now in
      var now = now
      if case .presenze = request { now += .nanoseconds(Int64(tick)) }
      return twin.handle(request, from: caller, at: now)
    }
  }
}

/// Kilwinning's twin with a mistake in what it answers.
private struct SpoiltTwin: Twin {
  typealias Contract = Kilwinning
  var twin: KilwinningTwin
  let mistake: Mistake?
  private var written: [Tornata.ID: Instant] = [:]

  init(_ twin: KilwinningTwin, _ mistake: Mistake?) { (self.twin, self.mistake) = (twin, mistake) }

  mutating func handle(
    _ request: Kilwinning.Request, from caller: Caller<Kilwinning>, at now: Instant
  ) -> Handled<Kilwinning> {
    guard case .client = caller, let mistake else {
      return twin.handle(request, from: caller, at: now)
    }
    var handled = mistake.handle(&twin, &written, request, caller, now)
    if case .now(let answer) = handled.answer {
      handled.answer = .now(mistake.spoil(request, answer))
    }
    return handled
  }
}

private struct SpoiltBackend: Backend {
  typealias Contract = Kilwinning
  private let backend = KilwinningBackend()
  let mistake: Mistake?

  var declaration: WorldDeclaration { backend.declaration }
  var checks: [Check<Kilwinning>] { backend.checks }
  var business: [BusinessLatency<Kilwinning>] { backend.business }
  var provingScenario: String { backend.provingScenario }
  func inspection(after last: Kilwinning.Reply?) -> Kilwinning.Request? {
    backend.inspection(after: last)
  }

  init(_ mistake: Mistake?) { self.mistake = mistake }

  func twin(_ setup: TwinSetup) -> SpoiltTwin {
    SpoiltTwin(backend.twin(setup), mistake)
  }
  func populate(_ region: RegionPlan) -> PopulationPlan<Kilwinning> { backend.populate(region) }
  func persons(in population: Settings) -> Int { backend.persons(in: population) }
  func assign(
    _ control: String, _ parameters: JSON, in region: RegionPlan
  ) throws(ControlProblem) -> [CellCommand<Kilwinning>] {
    try backend.assign(control, parameters, in: region)
  }
  func transit(of signal: Never, in plan: RegionPlan) -> Distribution {}
}

@Suite struct `Lodges in virtual time` {
  /// A lodge or some, for days, with adversaries.
  private static func live(
    _ mistake: Mistake? = nil, without rule: Kilwinning.Rule? = nil, lodges: Int = 1,
    regions: Int = 1, days: Int64 = 5, seed: UInt64 = 7, workers: Int = 1, takesTime: Bool = true
  ) -> ReplicationResult {
    let backend = SpoiltBackend(mistake)
    var world = World(
      domain: Kilwinning.domain, regions: regions,
      population: Settings(
        backend.declaration.population,
        overridden: [
          "lodges": .count(lodges), "fratelli": .count(8), "widgets": .share(0.5),
        ]),
      parameters: Settings(
        backend.declaration.parameters,
        overridden: ["mischiefEvery": .span(.minutes(10)), "opensEvery": .span(.hours(20))]),
      adversaries: 0.1)
    world.rulesOff = rule.map { [$0.id] } ?? []
    var scenario = Scenario(
      name: "lodge", title: "Lodge", starts: Instant("2025-10-06T04:00:00Z")!, zone: .rome,
      lasts: .days(days), seed: seed, replications: 1, worlds: [world], barrierInterval: .days(10))
    if !takesTime {
      scenario.network = Network(latency: .constant(.zero))
      scenario.service = Service(perRequest: .zero, perRowRead: .zero, perRowWritten: .zero)
    }
    return VirtualRun(scenario, domains: [AnyDomain(backend)], tokens: codec).run(workers: workers)[
      0]
  }

  private static func violated(_ result: ReplicationResult) -> [String] {
    result.worlds.flatMap(\.limits).filter { $0.violations > 0 }.map {
      "\($0.id): \($0.evidence.first?.what ?? "")"
    }
  }

  @Test(arguments: [1, 7] as [UInt64])
  func `keep every rule of theirs: KW-001 to KW-163`(seed: UInt64) {
    #expect(Self.violated(Self.live(seed: seed)) == [])
  }

  @Test(arguments: Mistake.all)
  func `do not hide a mistake that is no switched rule`(mistake: Mistake) {
    #expect(!Self.violated(Self.live(mistake)).isEmpty)
  }

  @Test func `find a tick at the end of a session, where nothing takes time: KW-013`() {
    #expect(Self.violated(Self.live(days: 9, takesTime: false)) == [])
    for mistake in Mistake.ofTicks {
      #expect(
        Self.violated(Self.live(mistake, days: 9, takesTime: false)).contains {
          $0.hasPrefix("KW-013")
        }, "\(mistake)")
    }
  }

  @Test func `live the same on one worker and on three`() {
    let alone = Self.live(lodges: 3, regions: 3, days: 2)
    let together = Self.live(lodges: 3, regions: 3, days: 2, workers: 3)
    #expect(alone.digest == together.digest)
    #expect(Self.violated(alone) == [])
  }
}
