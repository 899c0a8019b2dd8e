import Contracts
import Journeys
import MimiSupplyContract
import Timekeeping

/// Who somebody is before the run.
struct Account: Sendable {
  let user: UserName
  let apple: String
  let session: String
  let device: DeviceName
  let role: Role

  /// - Parameter name: The person's: `customer-7`.
  init(_ name: String, _ role: Role) {
    user = "user-\(name)"
    apple = "apple-\(name)"
    session = "session-\(name)"
    device = "device-\(name)"
    self.role = role
  }

  /// - Parameter until: How long the session lasts.
  func enter(_ fixture: inout Fixture, until: Instant) {
    fixture.users.append(Fixture.User(user, appleUserID: apple, role: role.rawValue))
    fixture.sessions.append(
      Fixture.Session(session, user: user, deviceID: device, expiresAt: until))
  }

  /// With the session of the fixture, or as nobody on one's own device.
  func app(isSignedIn: Bool, in plan: CityPlan) -> AppClient {
    AppClient(
      MimiSupply.Credential(
        apiToken: "mimi-app", userToken: isSignedIn ? session : nil, deviceID: device),
      AppSettings(plan, of: device.text))
  }
}

/// The app on one phone: its way to the backend, who is signed in, what it asked to be told.
final class Installation {
  let app: AppClient
  let account: Account
  /// The user record name; `nil` until somebody is signed in.
  private(set) var user: UserName?
  private(set) var isConnected = false
  private var signedInAt: Instant
  private var isShown = false
  private var luck: RandomStream
  private let tokens: any TokenCodec

  init(_ account: Account, isSignedIn: Bool, in city: City) {
    self.account = account
    app = account.app(isSignedIn: isSignedIn, in: city.plan)
    user = isSignedIn ? account.user : nil
    luck = city.luck(account.user.text, about: "nonces")
    tokens = city.plan.tokens
    signedInAt = city.plan.starts
    app.signInAgain = { [unowned self] me async throws(JourneyEnded) -> Bool in
      guard app.isSignedIn else { return false }
      app.sign(in: nil)
      isConnected = false
      return try await signIn(as: me)
    }
  }

  /// The app comes to the front, or goes from it.
  func show(_ shown: Bool, to me: Person<MimiSupply>) {
    guard shown != isShown else { return }
    isShown = shown
    me.note(.foreground(shown))
  }

  // MARK: Signing in

  /// Extends the session once an hour (OP-30), or begins one (§3.8); `false`: there is none.
  func enter(as me: Person<MimiSupply>) async throws(JourneyEnded) -> Bool {
    guard app.isSignedIn else { return try await signIn(as: me) }
    guard me.now >= signedInAt + .hours(1) else { return true }
    let outcome = try await app.ask(.refresh, as: me)
    if case .refreshed(let token, _)? = outcome.reply?.content {
      app.sign(in: token)
      signedInAt = me.now
    }
    guard let code = outcome.refusal?.failure.code,
      code == .authenticationFailed || code == .authenticationRequired
    else { return true }
    app.sign(in: nil)
    isConnected = false
    return try await signIn(as: me)
  }

  /// The four steps of MS-103; at most three tries.
  private func signIn(as me: Person<MimiSupply>) async throws(JourneyEnded) -> Bool {
    for _ in 1...3 {
      guard let answer = try await identify(as: me) else { continue }
      app.sign(in: answer.userToken)
      user = answer.userRecordName
      signedInAt = me.now
      if answer.requiresRoleSelection {
        _ = try await app.ask(.selectRole(account.role.rawValue), as: me)
      }
      _ = try await app.ask(.currentUser(Location(database: "public")), as: me)
      return true
    }
    return false
  }

  /// Partners and drivers say what they are when they sign in; customers select it afterwards.
  private func identify(as me: Person<MimiSupply>) async throws(JourneyEnded) -> SignInAnswer? {
    let nonce = Self.nonce(&luck)
    let hash = tokens.sha256(Array(nonce.utf8)).map(Self.hexadecimal).joined()
    let asked = SignIn(
      identityToken: "sim.\(account.apple).\(hash).\(me.now.unixMilliseconds)", nonce: nonce,
      deviceID: account.device, fullName: account.apple, email: "\(account.apple)@example.com",
      role: account.role == .customer ? nil : account.role.rawValue)
    let outcome = try await app.ask(.signIn(asked), as: me)
    if case .signedIn(let answer)? = outcome.reply?.content { return answer }
    return nil
  }

  /// 32 characters of digits, letters and `-._` (§3.8).
  private static func nonce(_ stream: inout RandomStream) -> String {
    String((0..<32).map { _ in stream.pick(Self.alphabet) })
  }

  private static let alphabet = Array(
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-._")

  private static func hexadecimal(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16)
    return byte < 16 ? "0" + digits : digits
  }

  // MARK: Being told

  /// Gets the phone a push token, once, and what the app wants to be told about (§3.5).
  func connect(
    _ subscriptions: [Subscription], as me: Person<MimiSupply>
  ) async throws(JourneyEnded) {
    guard !isConnected else { return }
    let place = Location(database: nil)
    let created = try await app.ask(
      .createToken(place, apnsEnvironment: "production"), as: me)
    guard case .tokenCreated(let token)? = created.reply?.content else { return }
    _ = try await app.ask(
      .registerToken(place, apnsEnvironment: "production", apnsToken: token.apnsToken), as: me)
    me.listen(at: .device(token: token.apnsToken))
    me.note(.listening(token: token.apnsToken))
    isConnected = try await subscribe(subscriptions, as: me)
  }

  /// Asks to be told about more; a subscription that is there already is fine.
  @discardableResult
  func subscribe(
    _ subscriptions: [Subscription], as me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> Bool {
    let outcome = try await app.ask(
      .modifySubscriptions(
        Location(database: "private"),
        subscriptions.map { SubscriptionOperation(.create, .subscription($0)) }), as: me)
    return outcome.isReplied
  }

  func unsubscribe(_ id: String, as me: Person<MimiSupply>) async throws(JourneyEnded) {
    _ = try await app.ask(
      .modifySubscriptions(
        Location(database: "private"), [SubscriptionOperation(.delete, .name(id))]), as: me)
  }
}

extension Subscription {
  /// What the app asks to be told about (§3.5).
  static func told(
    _ id: String, of type: RecordType, where field: FieldName, is value: FieldValue,
    _ comparator: Filter.Comparator = .equals, on events: [Event] = Event.allCases
  ) -> Subscription {
    Subscription(id, RecordQuery(type, [Filter(field, comparator, value)]), firesOn: events)
  }
}
