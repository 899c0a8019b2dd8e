import AsiaTravelPlanChecks
import AsiaTravelPlanContract
import Contracts
import Observations
import Testing
import Timekeeping

/// A day of an app by hand; what it does otherwise than it should is told in its place.
private struct AppStory {
  typealias Agency = AsiaTravelPlan

  var story = AgencyStory()
  let user: String
  var version = "1.0.0"
  var least = "1.0.0"
  var forcesUpdate = false
  private var tokens: TokenSet?

  init(as user: String = "mia") { self.user = user }

  mutating func start() {
    story.note(.started(AppVersion(version)), as: user)
    story.now += .seconds(1)
  }

  mutating func bootstrap(_ outcome: Outcome<Agency>? = nil) {
    let (least, forcesUpdate) = (least, forcesUpdate)
    story.command(
      .configure(
        Adjustment { ($0.leastVersion, $0.forcesUpdate) = (AppVersion(least), forcesUpdate) }))
    story.now += .seconds(3)
    let shown = Bootstrap(
      leastVersion: AppVersion(least), latestVersion: AppVersion(least), forcesUpdate: forcesUpdate)
    story.ask(.bootstrap, as: user, nil, outcome ?? .replied(.bootstrap(shown)))
  }

  mutating func signIn(seconds: Int = 300, client: String = "asiatravelplan-ios") {
    story.note(.browser(isSystems: true), as: user)
    let set = AgencyStory.tokens(of: user, at: story.now, seconds: seconds)
    tokens = set
    story.ask(
      .token(TokenRequest(grantType: "authorization_code", clientID: client)), as: user, nil,
      .replied(.tokens(set)))
    story.note(.roles(AsiaTravelPlan.RoleAnswers(roles)), as: user)
    story.note(.secureStore(holdsSession: true), as: user)
    story.now += .seconds(1)
  }

  private var roles: [Role] {
    AgencyStory.claims(of: user).realmRoles.compactMap { Role(rawValue: $0) }
  }

  mutating func refresh(
    _ outcome: Outcome<Agency>? = nil, lasting: Span = .seconds(1)
  ) {
    story.ask(
      .token(TokenRequest(grantType: "refresh_token", refreshToken: "refresh-\(user)")), as: user,
      nil, outcome ?? .replied(.tokens(AgencyStory.tokens(of: user, at: story.now, seconds: 300))),
      lasting: lasting)
  }

  mutating func list(_ query: BookingQuery = .app, _ credential: Agency.Credential? = nil) {
    ask(.bookings(query), .unknown(.timedOut), credential)
    story.note(.screen(.list), as: user)
  }

  mutating func ask(
    _ request: Agency.Request, _ outcome: Outcome<Agency> = .unknown(.timedOut),
    _ credential: Agency.Credential? = nil
  ) {
    story.ask(request, as: user, credential ?? tokens.map { .bearer($0.accessToken) }, outcome)
  }

  mutating func show(_ controls: [Agency.Control]) {
    story.note(.screen(.detail), as: user)
    story.note(.controls(booking: "booking_a", controls), as: user)
  }

  mutating func signOut(endsSession: Bool = true) {
    story.note(.secureStore(holdsSession: false), as: user)
    story.now += .seconds(1)
    if endsSession {
      story.ask(
        .endSession(EndSession(idTokenHint: nil)), as: user, nil, .unknown(.timedOut))
    }
    story.note(.screen(.signedOut), as: user)
  }

  mutating func begin() {
    start()
    bootstrap()
    signIn()
  }
}

@Suite struct `Checks of the app` {
  private typealias Rule = AsiaTravelPlan.Rule

  private static func violated(
    as user: String = "mia", _ tell: (inout AppStory) -> Void
  ) -> [String] {
    var app = AppStory(as: user)
    tell(&app)
    return app.story.judges().filter { $0.value.violations > 0 }.map(\.key.id.text).sorted()
  }

  @Test(arguments: ["ada", "mia", "carl", "alma"])
  func `have nothing against a day as it should be`(user: String) {
    let found = Self.violated(as: user) {
      $0.begin()
      $0.list()
      let shown: [AsiaTravelPlan.Control] =
        user == "carl" ? [.stage] : user == "ada" ? [.stage, .note] : [.stage, .note, .assign]
      $0.show(shown)
      $0.story.now += .seconds(240)
      $0.refresh()
      $0.list()
      $0.signOut()
      $0.begin()
    }
    #expect(found == [])
  }

  @Test func `find an app that goes on where its start should stop it`() {
    #expect(
      Self.violated {
        $0.start()
        $0.list()
      }.contains("ATP-67"))
    #expect(
      Self.violated {
        $0.start()
        $0.bootstrap(.unknown(.timedOut))
        $0.signIn()
      } == ["ATP-72"])
    #expect(
      Self.violated {
        $0.least = "1.0.1"
        $0.begin()
      } == ["ATP-68"])
    #expect(
      Self.violated {
        $0.forcesUpdate = true
        $0.begin()
      } == ["ATP-70"])
    #expect(
      Self.violated {
        ($0.version, $0.least) = ("1.10", "1.9")
        $0.start()
        $0.bootstrap()
        $0.story.note(.screen(.updateRequired), as: "mia")
      } == ["ATP-69"])
    #expect(
      Self.violated {
        $0.least = "1.0.1"
        $0.start()
        $0.bootstrap()
        $0.story.note(.screen(.updateRequired), as: "mia")
      } == [])
  }

  @Test func `find calls that are none of the app's`() {
    func asked(
      as user: String = "mia", _ request: AsiaTravelPlan.Request,
      _ credential: AsiaTravelPlan.Credential? = nil
    ) -> [String] {
      Self.violated(as: user) {
        $0.begin()
        $0.ask(request, .unknown(.timedOut), credential)
      }
    }
    #expect(asked(.bookings(.app)) == [])
    #expect(asked(.tours(TourQuery())).contains("ATP-02"))
    #expect(asked(.customers(CustomerQuery())) == ["ATP-02", "ATP-03"])
    #expect(asked(.browserMe) == ["ATP-04"])
    #expect(asked(.health) == ["ATP-28"])
    #expect(asked(.bookings(BookingQuery(pageSize: 50))) == ["ATP-30"])
    #expect(asked(as: "carl", .addActivity(.note("x", on: "booking_a"))) == ["ATP-01", "ATP-61"])
    #expect(asked(.me, .bearer(.text("refresh-mia"))) == ["ATP-20"])
    #expect(asked(.me, .cookies([])) == ["ATP-04", "ATP-29"])
    #expect(
      Self.violated {
        $0.begin()
        $0.signIn(client: "asiatravelplan-backend")
      } == ["ATP-13"])
  }

  @Test func `find an app that lets in whom its gate should keep out`() {
    #expect(
      Self.violated(as: "otto") {
        $0.begin()
        $0.story.note(.gateClosed, as: "otto")
        $0.story.note(.secureStore(holdsSession: false), as: "otto")
        $0.begin()
      } == [])
    #expect(
      Self.violated(as: "otto") {
        $0.begin()
        $0.list()
      } == ["ATP-09", "ATP-10"])
  }

  @Test func `find tokens that are kept, refreshed or sent otherwise than they should be`() {
    func told(_ tell: (inout AppStory) -> Void) -> [String] {
      Self.violated {
        $0.begin()
        tell(&$0)
      }
    }
    #expect(told { $0.story.note(.plainStore, as: "mia") } == ["ATP-19"])
    #expect(told { $0.story.note(.browser(isSystems: false), as: "mia") } == ["ATP-18"])
    #expect(told { $0.refresh() } == ["ATP-21"])
    let overlapping = told {
      $0.story.now += .seconds(245)
      let begun = $0.story.now
      $0.refresh(.unknown(.timedOut), lasting: .seconds(5))
      $0.story.now = begun + .seconds(1)
      $0.refresh(lasting: .seconds(5))
    }
    #expect(overlapping == ["ATP-23"])
    let expired = told {
      $0.story.now += .seconds(400)
      $0.ask(.me)
    }
    #expect(expired == ["ATP-21"])
    let refused = Outcome<AsiaTravelPlan>.refused(
      .token(status: 400, error: "invalid_grant", description: nil))
    let kept = told {
      $0.story.now += .seconds(245)
      $0.refresh(refused)
      $0.story.note(.screen(.list), as: "mia")
    }
    #expect(kept == ["ATP-22"])
    let cleared = told {
      $0.story.now += .seconds(245)
      $0.refresh(refused)
      $0.story.note(.secureStore(holdsSession: false), as: "mia")
      $0.story.note(.screen(.signedOut), as: "mia")
      $0.signIn()
    }
    #expect(cleared == [])
    let forgotten = told {
      $0.signOut(endsSession: false)
      $0.start()
    }
    #expect(forgotten == ["ATP-16"])
    let never = told {
      $0.signOut(endsSession: false)
      $0.story.now += .minutes(20)
    }
    #expect(never == ["ATP-16"])
    let justNow = told { $0.signOut(endsSession: false) }
    #expect(justNow == [])
  }

  @Test func `find controls, screens and answers that no role should have`() {
    func shown(as user: String, _ controls: [AsiaTravelPlan.Control]) -> [String] {
      Self.violated(as: user) {
        $0.begin()
        $0.show(controls)
      }
    }
    #expect(shown(as: "ada", [.stage, .note, .assign]) == ["ATP-58"])
    #expect(shown(as: "mia", [.stage, .note]) == ["ATP-59"])
    #expect(shown(as: "alma", [.stage, .note, .assign, .tours]) == ["ATP-60"])
    #expect(shown(as: "carl", [.stage, .note]) == ["ATP-61"])
    let screen = Self.violated {
      $0.begin()
      $0.story.note(.screen(.tours), as: "mia")
    }
    #expect(screen == ["ATP-62"])
    let answers = Self.violated {
      $0.begin()
      $0.story.note(.roles(AsiaTravelPlan.RoleAnswers([.staff])), as: "mia")
    }
    #expect(answers == ["ATP-63"])
  }

  @Test func `come to the same where generators live some of the people each`() {
    let plants: [(user: String, (inout AppStory) -> Void)] = [
      ("ada", { $0.show([.stage, .note, .assign]) }), ("mia", { $0.list(BookingQuery()) }),
      ("carl", { $0.ask(.staff(withInactive: false)) }), ("alma", { $0.refresh() }),
      ("otto", { $0.list() }), ("ben", { $0.signOut() }),
    ]
    var story = AgencyStory()
    for (user, plant) in plants {
      var app = AppStory(as: user)
      app.story = story
      app.begin()
      app.list()
      plant(&app)
      story = app.story
    }
    let (whole, parts) = (story.judges(), story.dividedJudges())
    let rules = AgencyChecks.judged.filter(\.judgesByPerson).map(\.rule)
    #expect(rules.contains(.atp61) && !rules.contains(.atp96))
    for rule in rules {
      for count in [\Judge.exercised, \.violations, \.undecided] {
        let sum = parts.reduce(0) { $0 + $1[rule]![keyPath: count] }
        #expect(sum == whole[rule]![keyPath: count], "\(rule.id)")
      }
    }
    let found = Set(rules.filter { whole[$0]!.violations > 0 })
    #expect(found.isSuperset(of: [.atp58, .atp30, .atp61, .atp21, .atp09]))
  }
}
