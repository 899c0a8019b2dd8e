import AsiaTravelPlanContract
import Contracts
import Timekeeping

extension IdentityProvider {
  struct User: Sendable {
    let id: String
    let username: String
    private(set) var email: String?
    private(set) var password: String?
    private(set) var isEnabled = true
    private(set) var realmRoles: [String] = []
    private(set) var clientRoles: [String: [String]] = [:]
    private(set) var groups: [String] = []
    private(set) var topLevelRoles: [String] = []

    init(id: String, username: String) { (self.id, self.username) = (id, username) }

    /// User names are told apart without their case.
    static func name(_ text: String) -> String { text.lowercased() }

    /// Whoever is known keeps the id that is `sub` in tokens already.
    mutating func apply(_ change: UserChange) {
      if let email = change.email { self.email = email.isEmpty ? nil : email }
      password = change.password ?? password
      isEnabled = change.isEnabled ?? isEnabled
      realmRoles = change.realmRoles ?? realmRoles
      clientRoles = change.clientRoles ?? clientRoles
      groups = change.groups ?? groups
      topLevelRoles = change.topLevelRoles ?? topLevelRoles
    }
  }

  /// The keys by their names: the first one signs.
  struct KeyRing: Sendable {
    private(set) var published: [String]
    var signing: String { published[0] }

    init(_ key: String) { published = [key] }

    mutating func rotate(to key: String, keepOld: Bool) {
      published = keepOld ? [key] + published : [key]
    }
  }

  /// A page that the user agent shows, and what comes of its form.
  struct Step: Sendable {
    enum Kind: Sendable {
      case login(AuthorizationRequest)
      case logout(session: String?, to: String?, state: String?)
    }

    let kind: Kind
    let expires: Instant
  }

  /// A login of one user in one browser, which several clients may share.
  struct Session: Sendable {
    let username: String
    let started: Instant
    var authenticated: Instant
    /// When it was last used, which puts off its end by idleness.
    var used: Instant
    private(set) var isEnded = false
    /// The clients that take part, with the number under which each does: one that left and came back has another.
    private(set) var clients: [String: Int] = [:]
    private var numbers = 0

    init(of username: String, at now: Instant) {
      self.username = username
      (started, authenticated, used) = (now, now, now)
    }

    mutating func end() { isEnded = true }

    /// When it is over, unless it is used until then.
    func expires(_ settings: AsiaTravelPlan.Deployment) -> Instant {
      min(used + settings.sessionIdle, started + settings.sessionMax)
    }

    func isAlive(at now: Instant, _ settings: AsiaTravelPlan.Deployment) -> Bool {
      !isEnded && now < expires(settings)
    }

    mutating func take(in client: String) -> Int {
      if let number = clients[client] { return number }
      numbers += 1
      clients[client] = numbers
      return numbers
    }

    mutating func leave(_ client: String, _ number: Int) {
      if clients[client] == number { clients[client] = nil }
    }
  }

  /// One part that a client takes in a session, with what was agreed when it began.
  struct Part: Sendable {
    let client: String
    let number: Int
    let scope: String
    let nonce: String?
  }

  struct Code: Sendable {
    let session: String
    let part: Part
    let redirectURI: String
    let challenge: Challenge?
    let expires: Instant
    var isUsed = false
  }

  struct RefreshToken: Sendable {
    let session: String
    let part: Part
    let expires: Instant
    var isUsed = false
  }
}
