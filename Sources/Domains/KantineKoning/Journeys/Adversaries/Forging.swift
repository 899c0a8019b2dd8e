import Contracts
import Journeys
import KantineKoningContract
import Timekeeping

extension Adversary {
  /// Tokens that nobody issued, that were used before, or that are too old.
  func forge(as me: Person<KantineKoning>) async throws(JourneyEnded) {
    try await forgeEnrollmentTokens(as: me)
    try await useOneTokenTwice(as: me)
    try await punctuate(as: me)
    try await forgeDeviceTokens(as: me)
    try await list(expiredRight, tenant: home.slug, as: me)  // KK-39
    _ = try await me.ask(.diensten(DienstenQuery(tenant: home.slug)))
    _ = try await me.ask(.tenants, with: .malformed)
    _ = try await me.ask(.searchTeams(tenant: home.slug, query: "1"))  // KK-121
  }

  private func forgeEnrollmentTokens(as me: Person<KantineKoning>) async throws(JourneyEnded) {
    let codes = Array(seed.managed.prefix(1))
    var burner = Burner(hardware: identifier(me))
    let role = Role.manager.rawValue
    try await register(
      .member(memberClaims(home, codes, role: role, as: me)), on: &burner, as: me)  // KK-30
    let deployment = seed.neighbourhood.habits.deployment
    let longest = deployment.memberTokenLifetime + deployment.memberTokenLeeway
    for lifetime in [longest + .seconds(10), longest * 10] {
      let distant = memberClaims(home, codes, lifetime: lifetime, as: me)
      try await register(.member(distant), on: &burner, as: me)  // KK-32
    }
    // In milliseconds, as other clocks count: further away than this one goes (KK-32).
    var endless = memberClaims(home, codes, as: me)
    endless.exp *= 1_000
    try await register(.member(endless), on: &burner, as: me)
    try await register(
      .member(memberClaims(home, codes, lifetime: .seconds(-2), as: me)), on: &burner, as: me)
    try await register(
      .member(memberClaims(home, codes, purpose: "device", as: me)), on: &burner, as: me)
    try await register(.text("not a token"), on: &burner, as: me)
  }

  /// KK-31: one after the other, and both at once.
  private func useOneTokenTwice(as me: Person<KantineKoning>) async throws(JourneyEnded) {
    let codes = Array(seed.managed.prefix(1))
    var first = Burner(hardware: identifier(me))
    var second = Burner(hardware: identifier(me))
    let token = EnrollmentToken.member(memberClaims(home, codes, as: me))
    try await register(token, on: &first, as: me)
    try await register(token, on: &second, as: me)
    let shared = EnrollmentToken.member(memberClaims(home, codes, as: me))
    let both = [identifier(me), identifier(me)].map { hardware in
      Ask<KantineKoning>(.register(Registration(token: shared, hardwareIdentifier: hardware)))
    }
    _ = try await me.ask(all: both)
  }

  private func forgeDeviceTokens(as me: Person<KantineKoning>) async throws(JourneyEnded) {
    guard case .issued(let claims) = managerRight.token else { return }
    let forgery = Forgery(claims, signedBy: seed.neighbourhood.tokens)
    for text in [forgery.tampered, forgery.unsigned, forgery.signedByStranger, "bytes"] {
      me.note(.forgedToken(stableHash(text)))
      try await pause(me)
      let credential = KantineKoning.Credential.bearer(.text(text))
      _ = try await me.ask(.diensten(DienstenQuery(tenant: home.slug)), with: credential)
      if let dienst = pick(diensten(of: home, future: true, as: me), as: me) {
        let change = VolunteerChange(dienstID: dienst.id, tenant: home.slug, naam: "Niemand")
        _ = try await me.ask(.addVolunteer(change), with: credential)
      }
    }
    // A device token is no enrollment token (§7.2).
    var burner = Burner(hardware: identifier(me))
    try await register(.text(forgery.genuine), on: &burner, as: me)
  }
}

/// Bytes made from a genuine device token by somebody without the secret.
struct Forgery {
  let genuine: String
  /// Another payload under the old signature.
  let tampered: String
  /// `alg` none and no signature.
  let unsigned: String
  /// The right form, signed with another secret.
  let signedByStranger: String

  init(_ claims: DeviceClaims, signedBy tokens: any TokenCodec) {
    var more = claims
    more.role = .manager
    more.teamCodes.append("1")
    genuine = tokens.sign(payload: Self.payload(claims))
    let parts = genuine.split(separator: ".", omittingEmptySubsequences: false)
    let other = tokens.sign(payload: Self.payload(more))
      .split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, other.count == 3 else {
      preconditionFailure("a JWT has three parts (RFC 7515)")
    }
    tampered = "\(parts[0]).\(other[1]).\(parts[2])"
    unsigned = Base64URL.encode(Array(#"{"alg":"none","typ":"JWT"}"#.utf8)) + ".\(parts[1])."
    signedByStranger = "\(parts[0]).\(parts[1])." + String(parts[2].reversed())
  }

  /// The claims as §7.1 names them.
  private static func payload(_ claims: DeviceClaims) -> [UInt8] {
    let json: JSON = [
      "device_id": .name(claims.deviceID), "tenant_slug": .name(claims.tenantSlug),
      "role": .string(claims.role.rawValue), "team_codes": .names(claims.teamCodes),
      "iat": .int(claims.iat), "exp": claims.exp.map { .int($0) } ?? .null, "purpose": "device",
    ]
    return json.bytes
  }
}

/// The URL alphabet without padding (RFC 4648 §5).
enum Base64URL {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    var start = 0
    while start < bytes.count {
      let chunk = bytes[start..<min(start + 3, bytes.count)]
      let word = chunk.reduce(0) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - chunk.count))
      for place in 0...chunk.count {
        text.append(alphabet[Int(word >> UInt32(18 - 6 * place)) & 63])
      }
      start += 3
    }
    return String(decoding: text, as: UTF8.self)
  }
}
