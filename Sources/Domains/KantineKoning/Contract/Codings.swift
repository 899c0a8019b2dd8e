import Contracts
import Timekeeping

// How values of several documents are spelt.

extension Spelling {
  /// The most characters of a token that a diagnosis may show (KK-43).
  static let shownCharacters = 20

  /// A token in full where it is used, shortened where somebody reads along.
  func secret(_ text: String) -> String {
    if case .wire = self { text } else { String(text.prefix(Self.shownCharacters)) }
  }

  /// No log line shows a full identifier (§8, point 24).
  func hardware(_ identifier: HardwareID) -> String {
    let text = identifier.text
    if case .wire = self { return text }
    return text.count <= 8 ? text : text.prefix(8) + "…"
  }
}

extension Coding where Value == String {
  static let pushToken = text.converted(to: { $0 }, from: { $1.secret($0) })
}

extension Coding where Value == HardwareID {
  static let hardware = Coding<String>.text.converted(
    to: { HardwareID($0) }, from: { $1.hardware($0) })
}

// MARK: - Tokens

/// A token that is signed when somebody looks at its bytes.
protocol LateToken: Sendable {
  static func text(_ text: String) -> Self
  func text(signedBy tokens: any TokenCodec) -> String
  /// As a diagnosis shows it.
  var shown: String { get }
}

extension Coding where Value: LateToken {
  static var token: Coding {
    Coding<String>.text.converted(
      to: { .text($0) },
      from: { token, spelling in
        if case .wire(let tokens) = spelling { token.text(signedBy: tokens) } else { token.shown }
      })
  }
}

extension Coding {
  /// A link that ends with a token, in full alone: shortened, nobody could follow it. It follows from the token and is never read.
  static func link<Token: LateToken>(_ beginning: String) -> Coding where Value == Token? {
    Coding(
      schema: ["type": "string", "format": "uri"], example: .string(beginning), words: "link",
      read: { _ in nil },
      write: { token, spelling in
        guard let token, case .wire(let tokens) = spelling else { return nil }
        return .string(beginning + WireForm.encode(token.text(signedBy: tokens)))
      }, mix: { _, _ in })
  }
}

extension SignedToken: LateToken {
  var shown: String {
    if case .text(let text) = self { Spelling.redacted.secret(text) } else { "issued" }
  }
}

extension EnrollmentToken: LateToken {
  var shown: String {
    switch self {
    case .link(let claims): "link for " + claims.teamCodes.map(\.text).joined(separator: " ")
    case .member(let claims): "member of " + claims.teamCodes.map(\.text).joined(separator: " ")
    case .text(let text): Spelling.redacted.secret(text)
    }
  }
}

// MARK: - Values

extension Coding where Value == Bool {
  /// The status of an enrollment.
  static let active = Coding<String>.text.converted(
    to: { $0 == "active" }, from: { isActive, _ in isActive ? "active" : "revoked" }
  ).checked(["enum": ["active", "revoked"]]) { _ in nil }.example("active")
}

extension Coding where Value == KantineKoning.RevocationReason? {
  /// A reason that this version does not know counts as none.
  static func reason(_ text: Coding<String?>) -> Coding {
    text.converted(
      to: { $0.flatMap { KantineKoning.RevocationReason(rawValue: $0) } },
      from: { reason, _ in reason?.rawValue }
    ).otherwise(nil)
  }
}

extension Coding where Value == [TeamPreference] {
  /// An object by team code; read in the order of the codes' text.
  static let byCode = Coding<JSON>.json.converted(
    to: { (json) throws(Malformed) in
      guard let object = json.object else { throw .invalid("is no object") }
      var preferences: [TeamPreference] = []
      for (code, value) in object.members.sorted(by: { $0.name < $1.name }) {
        guard let enabled = value.bool else {
          throw Malformed(.invalid, "is not true or false", at: code)
        }
        preferences.append(TeamPreference(teamCode: TeamName(code), emailEnabled: enabled))
      }
      return preferences
    },
    from: { preferences, _ in
      .object(
        JSONObject(preferences.map { (name: $0.teamCode.text, value: .bool($0.emailEnabled)) }))
    }
  ).checked(["type": "object", "additionalProperties": ["type": "boolean"]]) { _ in nil }
    .example(["JO11-3": true])
}

extension Coding where Value == DecimalHours {
  /// A number with at most two digits behind the point.
  static let hours = Coding<Double>.number.converted(
    to: { (hours) throws(Malformed) in
      guard hours.magnitude < 1e9 else { throw .invalid("is no number of hours") }
      return DecimalHours(hundredths: Int((hours * 100).rounded()))
    }, from: { hours, _ in Double(hours.hundredths) / 100 })
}

extension Coding where Value == Instant {
  /// ISO text, or seconds since 1970 as a number (§2.11); text is written.
  static let textOrSeconds = Coding<JSON>.json.converted(
    to: { (json) throws(Malformed) in
      guard let seconds = json.double else { return try Coding<Instant>.instant.read(json) }
      guard seconds.magnitude < 9e9 else { throw .invalid("is no instant") }
      return Instant(unixMilliseconds: Int64((seconds * 1_000).rounded()))
    }, from: { instant, _ in .string(instant.description) }
  ).checked(["anyOf": [["type": "string", "format": "date-time"], ["type": "number"]]]) { _ in nil }
    .example(Coding<Instant>.instant.example)
}
