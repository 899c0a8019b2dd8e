import Contracts
import KilwinningChecks
import KilwinningContract
import Observations
import Testing
import Timekeeping

/// Records by hand: a small lodge, an administrator and a fratello, and whatever a test lets them be answered.
struct LodgeStory {
  static let start = Instant("2025-10-01T10:00:00Z")!
  static let admin: Fratello.ID = 1
  static let anna: Fratello.ID = 2
  var now = Self.start
  private var records: [Record<Kilwinning>] = []

  /// Tornate 1 to 4 in September, one a week, all held; 5 is cancelled, 6 still to come. Fratello 2 came to 1, 3 and 4, and is noted for 5.
  static func fixture() -> Fixture {
    let fratelli = ["Paolo Giulio Gazzano", "Bruno Neri"].enumerated().map { place, nome in
      Fratello(
        id: Serial(place + 1), nome: nome, firstName: "", lastName: "", grado: .maestro,
        adminAccess: place == 0, registrationDate: start - .days(900),
        dataIniziazione: start - .days(800))
    }
    let tornate = (1...6).map { number in
      Tornata(
        id: Serial(number), discussione: "Tornata \(number)",
        data: start + .days(Int64(7 * number - (number == 6 ? 20 : 40))),
        stato: number == 5 ? .annullata : number == 6 ? .programmata : .completata)
    }
    let presenze = [(1, true), (2, false), (3, true), (4, true), (5, true)].map { id, isThere in
      Presenza(
        id: nil, fratelloID: anna, tornataID: Serial(id), status: isThere ? .presente : .assente,
        confirmedAt: start - .days(60))
    }
    return Fixture(fratelli: fratelli, tornate: tornate, presenze: presenze)
  }

  init(_ fixture: Fixture = Self.fixture()) {
    record(.control(.load(fixture), .replied(.done)), as: nil)
    now += .minutes(1)
    for (id, token) in [(Self.admin, "a"), (Self.anna, "b")] {
      guard let user = fixture.fratelli.first(where: { $0.id == id }) else { continue }
      ask(
        .logIn(LogIn(user.nome)), as: nil,
        .replied(
          .loggedIn(
            Login(
              user: user, token: Self.text(of: token),
              expiresAt: (now + .hours(8)).inWholeSeconds))))
    }
  }

  private static func text(of token: String) -> String { String(repeating: token, count: 32) }

  /// - Parameter token: `a` is the administrator's, `b` the fratello's.
  mutating func ask(
    _ request: Kilwinning.Request, as token: String?, _ outcome: Outcome<Kilwinning>,
    lasting: Span = .milliseconds(100), meeting fault: FaultKind? = nil
  ) {
    let credential = Kilwinning.Credential(
      peer: "p", authorization: token.map { .bearer(Self.text(of: $0)) })
    let call = Call<Kilwinning>(
      request: request, operation: Kilwinning.operation(of: request), credential: credential,
      intended: now, sent: now, answered: now + lasting, outcome: outcome, attempt: 1)
    if let fault { call.met.add(fault) }
    record(.request(call), as: token == "a" ? 0 : 1, at: now + lasting)
    now += lasting + .seconds(2)
  }

  mutating func note(_ note: Kilwinning.Note) {
    record(.note(note), as: 1)
    now += .seconds(1)
  }

  mutating func tell(_ command: Kilwinning.Request) {
    record(.control(command, .replied(.done)), as: nil)
    now += .seconds(2)
  }

  mutating func inspect(_ change: (inout Inspection) -> Void) {
    let known = Self.fixture()
    var inspection = Inspection(
      fratelli: known.fratelli, tornate: known.tornate, presenze: [], sessions: [])
    change(&inspection)
    record(.inspection(.inspection(inspection)), as: nil)
  }

  private mutating func record(
    _ event: Record<Kilwinning>.Event, as person: Int?, at time: Instant? = nil
  ) {
    records.append(
      Record(
        time: time ?? now, person: person.map { PersonID($0) }, sequence: UInt32(records.count),
        cell: 0, event: event))
  }

  /// What each rule's check says; what waits for others to be known is judged a minute later.
  func judged() -> [Kilwinning.Rule: Judge] {
    var story = self
    story.now += .minutes(2)
    // What the first one makes ripe is judged with the second.
    for _ in 1...2 { story.ask(.welcome, as: nil, .replied(.welcome(""))) }
    var router = CheckRouter(KilwinningChecks.all)
    for record in story.records { router.see(record) }
    router.end(at: story.now)
    return Dictionary(
      zip(KilwinningChecks.all.map(\.rule), router.judges), uniquingKeysWith: { $1 })
  }

  func violated() -> Set<Kilwinning.Rule> {
    Set(judged().filter { $0.value.violations > 0 }.keys)
  }

  static func violated(_ tell: (inout Self) -> Void) -> Set<Kilwinning.Rule> {
    var story = LodgeStory()
    tell(&story)
    return story.violated()
  }

  /// Fratello 2's figures as they are: three of four, the last two in a row.
  static let figures = Statistiche(
    total: 4, presences: 3, absences: 1, percentage: 75, streak: 2, record: 2, rate: 0.75)
}

@Suite struct `Checks of the lodge, by hand` {
  private typealias Story = LodgeStory
  private static let query = PresenzeQuery(Story.anna)

  private static func figures(_ change: (inout Statistiche) -> Void) -> Set<Kilwinning.Rule> {
    var shown = Story.figures
    change(&shown)
    return Story.violated { $0.ask(.statistiche(query), as: "b", .replied(.statistiche(shown))) }
  }

  @Test func `figures that are right violate nothing`() {
    #expect(Self.figures { _ in } == [])
  }

  @Test func `each figure that is wrong is found: KW-080, KW-083, KW-086 and KW-089 to KW-093`() {
    #expect(Self.figures { $0.total += 1 }.contains(.kw083))
    #expect(Self.figures { $0.presences = 4 }.contains(.kw089))
    #expect(Self.figures { $0.percentage = 76 } == [.kw090])
    #expect(Self.figures { $0.rate = 0.76 } == [.kw091])
    #expect(Self.figures { $0.absences = 2 } == [.kw092])
    #expect(Self.figures { $0.record = 3 }.contains(.kw093))
    #expect(Self.figures { $0.streak = 3 }.contains(.kw086))
  }

  @Test func `no token is written down: KW-111`() {
    let token = String(repeating: "7e", count: 16)
    let login = Login(
      user: Story.fixture().fratelli[0], token: token, expiresAt: Story.start.inWholeSeconds)
    var store = Kilwinning.SecureStore()
    (store.hasToken, store.userID, store.timestamp) = (true, 1, Story.start)
    #expect(!Kilwinning.show(.loggedIn(login)).description.contains(token))
    #expect(!Kilwinning.show(.stored(store, because: .login)).description.contains(token))
  }

  @Test func `what a lost write may have changed is judged no more, until it is seen: KW-067`() {
    let write = Kilwinning.Request.confirm(Confirmation(tornataID: 2, presente: true))
    let after = Statistiche(
      total: 4, presences: 4, absences: 0, percentage: 100, streak: 4, record: 4, rate: 1)
    for shown in [Story.figures, after] {
      #expect(
        Story.violated {
          $0.ask(write, as: "b", .unknown(.timedOut), lasting: .seconds(30))
          $0.now += .minutes(5)
          $0.ask(.statistiche(Self.query), as: "b", .replied(.statistiche(shown)))
        } == [])
    }
  }

  @Test func `a write that was answered counts from then on: KW-085 and KW-086`() {
    let violated = Story.violated {
      $0.ask(
        .confirm(Confirmation(tornataID: 2, presente: true)), as: "b",
        .replied(.confirmed(Acknowledgement(oltreTermine: false))))
      $0.ask(.statistiche(Self.query), as: "b", .replied(.statistiche(Story.figures)))
    }
    #expect(violated.contains(.kw086))
  }

  @Test func `eight hours are eight hours: KW-013, KW-014 and KW-016`() {
    func after(_ span: Span, _ outcome: Outcome<Kilwinning>) -> Set<Kilwinning.Rule> {
      Story.violated {
        let login = $0.now - .milliseconds(2_100)
        $0.now = login + span
        $0.ask(.riepilogo(.absent), as: "b", outcome, lasting: .zero)
      }
    }
    let expired = Outcome<Kilwinning>.refused(Kilwinning.Refusal(.sessioneScaduta))
    #expect(after(.hours(8), expired) == [.kw010, .kw013, .kw095])
    #expect(after(.hours(8) + .seconds(1), expired) == [])
    #expect(
      after(.hours(8) + .seconds(1), .refused(Kilwinning.Refusal(.nonAutenticato))) == [.kw016])
    #expect(after(.hours(8) + .seconds(1), .replied(.riepilogo([]))).contains(.kw013))
  }

  @Test func `a tornata that was deleted or begins meanwhile is judged by what is certain: KW-051`()
  {
    let deletion = Kilwinning.Request.deleteTornata(4)
    let shown = SharedList(Story.fixture().tornate.sorted { $0.data > $1.data })
    func list(after outcome: Outcome<Kilwinning>) -> Set<Kilwinning.Rule> {
      Story.violated {
        $0.ask(deletion, as: "a", outcome)
        $0.now += .minutes(2)
        $0.ask(.tornate(TornateQuery()), as: "b", .replied(.tornate(shown)))
      }
    }
    #expect(list(after: .replied(.deleted(message: ""))).contains(.kw051))
    #expect(list(after: .unknown(.timedOut)) == [])
  }

  @Test func `a limit refuses nobody too early and nobody too late, and says for how long: KW-163`()
  {
    func after(_ count: Int, _ last: Outcome<Kilwinning>) -> Set<Kilwinning.Rule> {
      Story.violated {
        $0.tell(
          .configure(
            Adjustment {
              $0.limitsRequests = true
              $0.requestsPerMinute = 3
            }))
        $0.now += .minutes(2)
        for _ in 0..<count { $0.ask(.welcome, as: nil, .replied(.welcome(""))) }
        $0.ask(.welcome, as: nil, last)
      }
    }
    func refused(_ seconds: Int?) -> Outcome<Kilwinning> {
      .refused(Kilwinning.Refusal(.troppeRichieste, "", retryAfterSeconds: seconds))
    }
    #expect(after(2, .replied(.welcome(""))) == [])
    #expect(after(3, .replied(.welcome(""))) == [.kw163])
    // The first of the three was 6.3 s before.
    #expect(after(3, refused(54)) == [])
    #expect(after(2, refused(54)) == [.kw163])
    for seconds in [nil, 0, 27, 60] { #expect(after(3, refused(seconds)) == [.kw163]) }
  }

  @Test func `what inspection shows has to be explained: KW-004, KW-051 and KW-063`() {
    func inspected(_ change: @escaping (inout Inspection) -> Void) -> Set<Kilwinning.Rule> {
      Story.violated {
        $0.now += .minutes(2)
        $0.inspect(change)
      }
    }
    func session(_ owner: Fratello.ID, _ began: Instant) -> Inspection.Session {
      .init(fratelloID: owner, createdAt: began, lastVerifiedAt: began, isRevoked: false)
    }
    let login = Story.start + .minutes(1) + .milliseconds(50)
    #expect(inspected { $0.sessions = [session(Story.admin, login)] } == [])
    #expect(inspected { $0.sessions = [session(Story.anna, login)] } == [.kw004])
    #expect(inspected { $0.sessions = [session(Story.admin, login + .seconds(1))] } == [.kw004])
    let record = Presenza(
      id: 1, fratelloID: 2, tornataID: 1, status: .presente, confirmedAt: Story.start)
    var (other, orphan) = (record, record)
    (other.id, orphan.tornataID) = (2, 99)
    #expect(inspected { $0.presenze = [record] } == [])
    #expect(inspected { $0.presenze = [record, other] } == [.kw063])
    #expect(inspected { $0.presenze = [orphan] } == [.kw051])
  }

  /// What Anna's five tornate were loaded with.
  private static let inherited: [Presenza] = [5, 4, 3, 2, 1].map { id in
    Presenza(
      id: Serial(id), fratelloID: Story.anna, tornataID: Serial(id),
      status: id == 2 ? .assente : .presente, confirmedAt: Story.start - .days(60))
  }

  @Test func `inherited records keep their instants, and no two have one number: KW-063, KW-064`() {
    /// Tornata 5 is deleted, and a record is written for a new one.
    func shown(
      _ number: Presenza.ID = 6, _ change: (inout Presenza) -> Void = { _ in }
    ) -> Set<Kilwinning.Rule> {
      var list = Self.inherited
      return Story.violated {
        let look = Kilwinning.Request.presenze(PresenzeQuery(Story.anna))
        $0.ask(look, as: "b", .replied(.presenze(list)))
        $0.ask(.deleteTornata(5), as: "a", .replied(.deleted(message: "")))
        list.removeFirst()
        let data = Story.start + .hours(5)
        let made = Tornata(id: 7, discussione: "Nuova", data: data)
        $0.ask(
          .createTornata(NewTornata(data: data, discussione: made.discussione)), as: "a",
          .replied(.tornata(made)))
        let written = $0.now.inWholeSeconds
        $0.ask(
          .confirm(Confirmation(tornataID: 7, presente: true)), as: "b",
          .replied(.confirmed(Acknowledgement(oltreTermine: true))))
        let record = Presenza(
          id: number, fratelloID: Story.anna, tornataID: 7, status: .presente,
          confirmedAt: written)
        list.insert(record, at: 0)
        change(&list[2])
        $0.ask(look, as: "b", .replied(.presenze(list)))
      }
    }
    #expect(shown() == [])
    #expect(shown(5) == [.kw063])
    #expect(shown { $0.confirmedAt = Story.start } == [.kw064])
    #expect(shown { $0.confirmedAt = nil } == [.kw064])
  }

  @Test func `who takes a key for a replay after its day writes nothing, and is found: KW-064`() {
    func shown(isWritten: Bool) -> Set<Kilwinning.Rule> {
      var list = Self.inherited
      return Story.violated {
        let look = Kilwinning.Request.presenze(PresenzeQuery(Story.anna))
        let done = Outcome<Kilwinning>.replied(.confirmed(Acknowledgement(oltreTermine: false)))
        let keyed = Confirmation(tornataID: 3, presente: false, idempotencyKey: "chiave")
        $0.ask(look, as: "b", .replied(.presenze(list)))
        $0.ask(.confirm(keyed), as: "b", done)
        $0.now += .hours(25)
        let user = Story.fixture().fratelli[1]
        $0.ask(
          .logIn(LogIn(user.nome)), as: nil,
          .replied(
            .loggedIn(
              Login(
                user: user, token: String(repeating: "c", count: 32),
                expiresAt: ($0.now + .hours(8)).inWholeSeconds))))
        list[2].confirmedAt = $0.now.inWholeSeconds
        $0.ask(.confirm(Confirmation(tornataID: 3, presente: true)), as: "c", done)
        if isWritten { (list[2].status, list[2].confirmedAt) = (.assente, $0.now.inWholeSeconds) }
        $0.ask(.confirm(keyed), as: "c", done)
        $0.ask(look, as: "c", .replied(.presenze(list)))
      }
    }
    #expect(shown(isWritten: true) == [])
    #expect(shown(isWritten: false).contains(.kw064))
  }

  @Test func `a token that was given before is found: KW-006`() {
    func again(_ token: String) -> Set<Kilwinning.Rule> {
      Story.violated {
        let user = Story.fixture().fratelli[1]
        $0.ask(
          .logIn(LogIn(user.nome)), as: nil,
          .replied(
            .loggedIn(
              Login(
                user: user, token: String(repeating: token, count: 32),
                expiresAt: ($0.now + .hours(8)).inWholeSeconds))))
      }
    }
    #expect(again("c") == [] && again("b") == [.kw006])
  }

  @Test func `who writes for another without the right is found: KW-061`() {
    let write = Kilwinning.Request.confirm(
      Confirmation(tornataID: 3, presente: true, fratelloID: Story.admin))
    let answer = Outcome<Kilwinning>.replied(.confirmed(Acknowledgement(oltreTermine: false)))
    #expect(Story.violated { $0.ask(write, as: "b", answer) } == [.kw061])
    let refused = Outcome<Kilwinning>.refused(Kilwinning.Refusal(.accessoNegato))
    #expect(Story.violated { $0.ask(write, as: "b", refused) } == [])
  }

  @Test func `a file is compared with the riepilogo and with RFC 4180: KW-134 and KW-135`() {
    func export(_ csv: String) -> Set<Kilwinning.Rule> {
      Story.violated {
        $0.ask(
          .exportRiepilogo(.tutti), as: "a",
          .replied(
            .esportazione(Esportazione(fileName: "riepilogo-presenze-tutti.csv", csv: csv))))
      }
    }
    let lines = [
      "id,nome,grado,presenze,tornate_disponibili,percentuale", "2,Bruno Neri,Maestro,3,4,75",
      "1,Paolo Giulio Gazzano,Maestro,0,4,0",
    ]
    let right = lines.map { $0 + "\r\n" }.joined()
    #expect(export(right) == [])
    #expect(export(lines.map { $0 + "\n" }.joined()) == [.kw135])
    #expect(export(String(right.dropLast(1))) == [.kw135])
    #expect(export(right.replacing("Bruno Neri", with: "\"Bruno Neri\"")) == [.kw135])
    #expect(export(right.replacing("3,4,75", with: "3,4,76")) == [.kw134])
    #expect(export(lines.dropFirst().map { $0 + "\r\n" }.joined()).contains(.kw134))
  }

  @Test func `a riepilogo that did not load is no reason to judge the next screen by it: KW-079`() {
    let anno = Anno(2025)
    func loading(_ screen: Kilwinning.Screen) -> Bool {
      Story.violated {
        $0.note(.opens(Kilwinning.Opening(.riepilogo, .annoChosen, anno: anno)))
        $0.ask(.riepilogo(anno), as: "b", .unknown(.timedOut))
        $0.ask(.tornate(TornateQuery(anno: anno)), as: "b", .unknown(.timedOut))
        $0.note(.shows(screen))
      }.contains(.kw079)
    }
    #expect(!loading(.management(anno, [])))
    #expect(loading(.riepilogo(anno, [])))
  }

  @Test func `a session is judged by the verification of its time, however late that is: KW-013`() {
    let me = Outcome<Kilwinning>.replied(.fratello(Story.fixture().fratelli[1]))
    let list = Outcome<Kilwinning>.replied(
      .tornate(SharedList(Story.fixture().tornate.sorted { $0.data > $1.data })))
    func using(at time: Span) -> Set<Kilwinning.Rule> {
      Story.violated {
        $0.now += .hours(7)
        $0.ask(.me, as: "b", me)
        $0.now += time
        $0.ask(.tornate(TornateQuery()), as: "b", list)
        // Nobody asks anything for a while; then the session is verified twice.
        for pause in [Span.seconds(20), .minutes(16)] {
          $0.now += pause
          $0.ask(.me, as: "b", me)
        }
      }
    }
    #expect(!using(at: .hours(7)).contains(.kw013))
    #expect(using(at: .minutes(8 * 60 + 1)).contains(.kw013))
  }

  @Test(arguments: ["tutti", "Tutti", "", nil])
  func `figures that are missing without network are missed, however their anno was spelt: KW-130`(
    anno: String?
  ) {
    let all = Anno(anno)
    func shown(_ card: Kilwinning.StatisticsCard?, loads: Bool = true) -> Bool {
      Story.violated { story in
        guard let user = Story.fixture().fratelli.last else { return }
        let planned = TornateQuery(stato: .programmata)
        story.note(.launched(isOnline: true))
        story.ask(
          .logIn(LogIn(user.nome)), as: nil,
          .replied(
            .loggedIn(
              Login(
                user: user, token: String(repeating: "b", count: 32),
                expiresAt: (story.now + .hours(8)).inWholeSeconds))))
        story.ask(
          .tornate(planned), as: "b",
          .replied(
            .tornate(SharedList(Story.fixture().tornate.filter { $0.stato == .programmata }))))
        if loads {
          story.ask(
            .tornate(TornateQuery(anno: all)), as: "b",
            .replied(.tornate(SharedList(Story.fixture().tornate.reversed()))))
          let own = Story.fixture().presenze.filter { $0.fratelloID == user.id }
          story.ask(
            .presenze(PresenzeQuery(user.id, anno: all)), as: "b",
            .replied(.presenze(own.reversed())))
        }
        story.note(.network(isUp: false))
        story.note(
          .shows(
            .dashboard(
              Kilwinning.DashboardView(
                nome: user.nome, grado: user.grado, hasAdminBadge: false,
                tiles: [.presenze, .tornate, .riepilogo],
                next: Story.fixture().tornate.suffix(1).map { Kilwinning.Card($0) },
                statistics: card, staleSince: story.now))))
      }.contains(.kw130)
    }
    let right = Kilwinning.StatisticsCard(
      total: 4, presences: 3, percentage: "75%", streak: "🔥 2")
    var wrong = right
    wrong.percentage = "74%"
    #expect(shown(nil) && !shown(right) && shown(wrong))
    #expect(!shown(nil, loads: false) && shown(right, loads: false))
  }

  @Test func `nothing to show, although it was loaded, is found: KW-122`() {
    func violates(_ loads: Bool) -> Bool {
      Story.violated { story in
        story.note(.launched(isOnline: true))
        if loads {
          story.ask(
            .tornate(TornateQuery(stato: .programmata)), as: "b", .replied(.tornate([])))
        }
        story.note(.network(isUp: false))
        story.note(.shows(.nothing(.dashboard, .tutti)))
      }.contains(.kw122)
    }
    #expect(violates(true) && !violates(false))
  }

  @Test func `two updates at once both hold, and nothing is deleted twice: KW-046 and KW-051`() {
    func violated(_ change: @escaping (inout Tornata) -> Void) -> Set<Kilwinning.Rule> {
      Story.violated { story in
        guard let base = Story.fixture().tornate.last else { return }
        let start = story.now
        var (first, both) = (base, base)
        first.cena = true
        (both.cena, both.discussione) = (true, "Altra")
        for (made, asked) in [
          (first, TornataUpdate(base.id) { $0.cena = .to(true) }),
          (both, TornataUpdate(base.id) { $0.discussione = .to("Altra") }),
        ] {
          story.now = start
          story.ask(.updateTornata(asked), as: "a", .replied(.tornata(made)))
        }
        story.now += .minutes(1)
        change(&both)
        let list = Story.fixture().tornate.dropLast() + [both]
        story.ask(
          .tornate(TornateQuery()), as: "b",
          .replied(.tornate(SharedList(list.sorted { Tornata.isNewer($0, than: $1) }))))
      }
    }
    #expect(violated { _ in } == [])
    #expect(violated { $0.cena = false } == [.kw046])
    #expect(violated { $0.discussione = "Tornata 6" } == [.kw046])
    let twice = Story.violated { story in
      let start = story.now
      for _ in 1...2 {
        story.now = start
        story.ask(.deleteTornata(6), as: "a", .replied(.deleted(message: "")))
      }
    }
    #expect(twice == [.kw051])
  }
}
