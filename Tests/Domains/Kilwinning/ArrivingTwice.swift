import Contracts
import KilwinningContract
import Observations
import Testing
import Timekeeping

/// Records by hand: a request arrives twice, or late, and nobody hears what it did.
@Suite struct `What arrives twice at the lodge, or late` {
  private typealias Story = LodgeStory

  private static let acknowledged = Outcome<Kilwinning>.replied(
    .confirmed(Acknowledgement(oltreTermine: false)))

  private static let query = PresenzeQuery(Story.anna)

  private static func shown(_ tornate: [Tornata]) -> Outcome<Kilwinning> {
    .replied(.tornate(SharedList(tornate.sorted { Tornata.isNewer($0, than: $1) })))
  }

  @Test func `a login that arrived twice may have begun two sessions: KW-004`() {
    func inspected(_ fault: FaultKind?) -> Set<Kilwinning.Rule> {
      Story.violated { story in
        let user = Story.fixture().fratelli[1]
        let login = Login(
          user: user, token: String(repeating: "c", count: 32),
          expiresAt: (story.now + .hours(8)).inWholeSeconds)
        let second = story.now + .seconds(5)
        story.ask(.logIn(LogIn(user.nome)), as: nil, .replied(.loggedIn(login)), meeting: fault)
        story.now += .minutes(2)
        story.inspect {
          $0.sessions = [
            .init(
              fratelloID: user.id, createdAt: second, lastVerifiedAt: second, isRevoked: false)
          ]
        }
      }
    }
    #expect(inspected(.duplicate) == [])
    #expect(inspected(nil) == [.kw004])
  }

  @Test func `a login that a fault held back may begin its session that much later: KW-004`() {
    func inspected(_ fault: FaultKind?) -> Set<Kilwinning.Rule> {
      Story.violated { story in
        let user = Story.fixture().fratelli[1]
        let began = story.now + .seconds(100)
        story.ask(
          .logIn(LogIn(user.nome)), as: nil, .unknown(.timedOut), lasting: .seconds(30),
          meeting: fault)
        story.now += .minutes(3)
        story.inspect {
          $0.sessions = [
            .init(fratelloID: user.id, createdAt: began, lastVerifiedAt: began, isRevoked: false)
          ]
        }
      }
    }
    #expect(inspected(.delay(.minutes(3))) == [])
    #expect(inspected(nil) == [.kw004])
  }

  @Test func `a verification that arrived twice may have renewed its session twice: KW-013`() {
    func afterwards(_ fault: FaultKind?) -> Set<Kilwinning.Rule> {
      Story.violated {
        let me = Outcome<Kilwinning>.replied(.fratello(Story.fixture().fratelli[1]))
        $0.now += .hours(7)
        $0.ask(.me, as: "b", me, meeting: fault)
        $0.now += .hours(8)
        $0.ask(.tornate(TornateQuery()), as: "b", Self.shown(Story.fixture().tornate))
      }
    }
    #expect(!afterwards(.duplicate).contains(.kw013))
    #expect(afterwards(nil).contains(.kw013))
  }

  @Test func `a plan that arrived twice may have made two tornate: KW-040 to KW-042`() {
    func listed(_ fault: FaultKind?) -> Set<Kilwinning.Rule> {
      Story.violated { story in
        let data = Story.start + .days(30)
        let made = (7...8).map { Tornata(id: Serial($0), discussione: "Nuova", data: data) }
        story.ask(
          .createTornata(NewTornata(data: data, discussione: "Nuova")), as: "a",
          .replied(.tornata(made[0])), meeting: fault)
        for pause in [Span.seconds(1), .minutes(5)] {
          story.now += pause
          story.ask(
            .tornate(TornateQuery()), as: "b", Self.shown(Story.fixture().tornate + made))
        }
      }
    }
    #expect(listed(.duplicate) == [])
    #expect(listed(nil).contains(.kw040))
  }

  @Test func `who looked before a plan without an answer was not shown it: KW-040 and KW-043`() {
    let data = Story.start + .days(30)
    let plan = Kilwinning.Request.createTornata(NewTornata(data: data, discussione: "Nuova"))
    let look = Kilwinning.Request.tornate(TornateQuery())
    let made = (7...8).map { Tornata(id: Serial($0), discussione: "Nuova", data: data) }
    let listed = Story.violated { story in
      story.ask(look, as: "b", Self.shown(Story.fixture().tornate))
      story.ask(plan, as: "a", .unknown(.timedOut), lasting: .seconds(1))
      story.ask(look, as: "b", Self.shown(Story.fixture().tornate + made.prefix(1)))
    }
    #expect(listed == [])
    // The second is listed while its own plan is still under way.
    let planned = Story.violated { story in
      story.ask(plan, as: "a", .unknown(.timedOut), lasting: .seconds(1))
      let start = story.now
      story.now += .seconds(1)
      story.ask(look, as: "b", Self.shown(Story.fixture().tornate + made))
      story.now = start
      story.ask(plan, as: "a", .replied(.tornata(made[1])), lasting: .seconds(3))
    }
    #expect(planned == [])
  }

  @Test func `a second arrival may undo what came between: KW-033, KW-046, KW-051 and KW-067`() {
    let look = Kilwinning.Request.tornate(TornateQuery())
    func updated(_ fault: FaultKind?) -> Set<Kilwinning.Rule> {
      Story.violated { story in
        var tornate = Story.fixture().tornate
        for (text, fault) in [("Altra", fault), ("Ultima", nil)] {
          tornate[5].discussione = text
          story.ask(
            .updateTornata(TornataUpdate(6) { $0.discussione = .to(text) }), as: "a",
            .replied(.tornata(tornate[5])), meeting: fault)
        }
        tornate[5].discussione = "Altra"
        story.ask(look, as: "b", Self.shown(tornate))
      }
    }
    #expect(updated(.duplicate) == [] && updated(nil).contains(.kw046))

    func promoted(_ fault: FaultKind?) -> Set<Kilwinning.Rule> {
      Story.violated { story in
        var fratelli = Story.fixture().fratelli
        for (grado, fault) in [(Fratello.Grado.compagno, fault), (.apprendista, nil)] {
          fratelli[1].grado = grado
          story.ask(
            .updateFratello(FratelloUpdate(Story.anna, FratelloChange(grado: grado))), as: "a",
            .replied(.fratello(fratelli[1])), meeting: fault)
        }
        fratelli[1].grado = .compagno
        story.ask(.fratelli, as: "b", .replied(.fratelli(SharedList(fratelli))))
      }
    }
    #expect(promoted(.duplicate) == [] && promoted(nil).contains(.kw033))

    func confirmed(_ fault: FaultKind?) -> Set<Kilwinning.Rule> {
      Story.violated { story in
        let began = story.now.inWholeSeconds
        for (isThere, fault) in [(true, fault), (false, nil)] {
          story.ask(
            .confirm(Confirmation(tornataID: 2, presente: isThere)), as: "b", Self.acknowledged,
            meeting: fault)
        }
        let list = [5, 4, 3, 2, 1].map { id in
          Presenza(
            id: Serial(id), fratelloID: Story.anna, tornataID: Serial(id), status: .presente,
            confirmedAt: id == 2 ? began + .seconds(3) : Story.start - .days(60))
        }
        story.ask(
          .presenze(PresenzeQuery(Story.anna)), as: "b", .replied(.presenze(list)))
      }
    }
    #expect(confirmed(.duplicate) == [] && confirmed(nil).contains(.kw067))

    func deleted(_ fault: FaultKind?) -> Set<Kilwinning.Rule> {
      Story.violated {
        $0.ask(
          .deleteTornata(6), as: "a", .refused(Kilwinning.Refusal(.troppeRichieste)),
          meeting: fault)
        $0.ask(look, as: "b", Self.shown(Story.fixture().tornate.dropLast()))
      }
    }
    #expect(!deleted(.duplicate).contains(.kw040) && deleted(nil).contains(.kw040))
  }

  @Test func `what arrived twice counts twice for the limit, or once: KW-163`() {
    func after(_ fault: FaultKind?, refused: Bool) -> Set<Kilwinning.Rule> {
      Story.violated {
        $0.tell(
          .configure(
            Adjustment {
              $0.limitsRequests = true
              $0.requestsPerMinute = 3
            }))
        $0.now += .minutes(2)
        for fault in [nil, fault] {
          $0.ask(.welcome, as: nil, .replied(.welcome("")), meeting: fault)
        }
        let refusal = Kilwinning.Refusal(.troppeRichieste, "", retryAfterSeconds: 56)
        $0.ask(.welcome, as: nil, refused ? .refused(refusal) : .replied(.welcome("")))
      }
    }
    #expect(after(.duplicate, refused: true) == [] && after(.duplicate, refused: false) == [])
    #expect(after(nil, refused: true) == [.kw163] && after(nil, refused: false) == [])
  }

  /// A device is answered once, whatever arrives twice.
  @Test(
    arguments: [
      (.kw053, .deleteTornata(6), .tornate(TornateQuery())),
      (.kw120, .confirm(Confirmation(tornataID: 2, presente: true)), .statistiche(Self.query)),
    ] as [(Kilwinning.Rule, Kilwinning.Request, Kilwinning.Request)])
  func `no device asks again what arrives twice: KW-053 and KW-120`(
    rule: Kilwinning.Rule, write: Kilwinning.Request, load: Kilwinning.Request
  ) {
    func loaded(_ times: Int, _ fault: FaultKind?) -> Bool {
      Story.violated { story in
        story.note(.launched(isOnline: true))
        let done: Outcome<Kilwinning> =
          rule == .kw053 ? .replied(.deleted(message: "")) : Self.acknowledged
        story.ask(write, as: "b", done)
        for _ in 0..<times { story.ask(load, as: "b", .unknown(.timedOut), meeting: fault) }
      }.contains(rule)
    }
    #expect(!loaded(1, .duplicate) && loaded(2, nil))
  }

  @Test func `no widget asks again what arrives twice: KW-142`() {
    let planned = Kilwinning.Request.tornate(TornateQuery(stato: .programmata))
    func refreshed(_ times: Int, _ fault: FaultKind?) -> Bool {
      Story.violated { story in
        story.note(.widgetWakes)
        for _ in 0..<times {
          story.ask(planned, as: "b", Self.shown([Story.fixture().tornate[5]]), meeting: fault)
        }
        story.note(.widgetShows(Kilwinning.WidgetView(next: [])))
      }.contains(.kw142)
    }
    #expect(!refreshed(1, .duplicate) && refreshed(2, nil))
  }
}
