import Contracts

/// A server that was not started for the run: where it is, and who the people of a world are to it.
public struct ForeignServer: Hashable, Sendable {
  /// A header that every request of a person carries; it takes the place of what the contract's own would say.
  public struct Header: Hashable, Sendable {
    public var name: String
    public var value: RowText

    public init(_ name: String, _ value: RowText) {
      self.name = name
      self.value = value
    }
  }

  /// How tokens are asked for at a token endpoint (RFC 6749 §4.3 and §4.4).
  public struct SignIn: Hashable, Sendable {
    public enum Grant: String, Hashable, Sendable, CaseIterable { case clientCredentials, password }

    /// The token endpoint; with `isDiscovered` the description that names it.
    public var url: String
    public var isDiscovered: Bool
    public var grant: Grant
    public var client: String
    public var secret: RowText?
    public var user: RowText?
    public var password: RowText?
    public var scope: String?

    public init(
      url: String, isDiscovered: Bool = false, grant: Grant, client: String,
      secret: RowText? = nil, user: RowText? = nil, password: RowText? = nil, scope: String? = nil
    ) {
      self.url = url
      self.isDiscovered = isDiscovered
      self.grant = grant
      self.client = client
      self.secret = secret
      self.user = user
      self.password = password
      self.scope = scope
    }
  }

  public var domain: String
  /// By service; the only one, or the first, under its own name.
  public var urls: [String: String]
  public var headers: [Header]
  /// Services that the twin in process gives, by their names.
  public var twinServices: [String]
  /// The file with a row for each person, beside the scenario; `nil` without one.
  public var feeder: String?
  /// The column, named like a fact of a caller, by which a caller's row is found; `nil` where the n-th row is the n-th person's.
  public var rowOf: String?
  /// The file that says what the server calls the population's things; `nil` without one.
  public var ids: String?
  /// What members of requests and answers hold of a person, by their names: the column that has it.
  public var members: [String: String]
  public var signIn: SignIn?
  /// Whether it holds the population of the scenario already.
  public var isPrepared: Bool
  public var location: SourceLocation

  public init(
    domain: String, urls: [String: String], twinServices: [String] = [], headers: [Header] = [],
    feeder: String? = nil, rowOf: String? = nil, ids: String? = nil,
    members: [String: String] = [:], signIn: SignIn? = nil, isPrepared: Bool = false,
    location: SourceLocation
  ) {
    self.domain = domain
    self.urls = urls
    self.twinServices = twinServices
    self.headers = headers
    self.feeder = feeder
    self.rowOf = rowOf
    self.ids = ids
    self.members = members
    self.signIn = signIn
    self.isPrepared = isPrepared
    self.location = location
  }

  private var texts: [RowText] {
    headers.map(\.value) + [signIn?.secret, signIn?.user, signIn?.password].compactMap(\.self)
  }

  /// The variables of the environment that have to be set.
  public var variables: [String] { texts.flatMap(\.variables) }

  /// The facts of callers that its texts name.
  public var callers: [String] { texts.flatMap(\.callers) + [rowOf].compactMap(\.self) }

  /// The columns that a feeder has to have.
  public var columns: [String] {
    var found: [String] = []
    for name in members.sorted(by: { $0.key < $1.key }).map(\.value) + texts.flatMap(\.columns)
      + [rowOf].compactMap(\.self)
    where !found.contains(name) {
      found.append(name)
    }
    return found
  }
}

/// Text with places for a person's row, for a token and for secrets of the environment: `Bearer ${row.token}`.
public struct RowText: Hashable, Sendable {
  enum Part: Hashable, Sendable {
    case text(String)
    case column(String)
    /// A fact of who asks.
    case caller(String)
    /// What the token endpoint gave.
    case token
    case environment(String)
  }

  let parts: [Part]

  /// What is wrong with a text.
  struct Problem: Error { let why: String }

  init(_ text: String) throws(Problem) {
    var parts: [Part] = []
    var rest = Substring(text)
    while let start = rest.range(of: "${") {
      if start.lowerBound > rest.startIndex {
        parts.append(.text(String(rest[..<start.lowerBound])))
      }
      guard let end = rest[start.upperBound...].firstIndex(of: "}") else {
        throw Problem(why: "'${' has no '}'")
      }
      let words = rest[start.upperBound..<end].split(separator: ".", maxSplits: 1)
      switch (words.first, words.count) {
      case ("row", 2): parts.append(.column(String(words[1])))
      case ("caller", 2): parts.append(.caller(String(words[1])))
      case ("env", 2): parts.append(.environment(String(words[1])))
      case ("token", 1): parts.append(.token)
      default:
        throw Problem(
          why: "'${\(printable(rest[start.upperBound..<end]))}' is no place for a value")
      }
      rest = rest[rest.index(after: end)...]
    }
    if !rest.isEmpty { parts.append(.text(String(rest))) }
    self.parts = parts
  }

  public var columns: [String] {
    parts.compactMap { if case .column(let name) = $0 { name } else { nil } }
  }

  /// The facts of a caller that it names.
  public var callers: [String] {
    parts.compactMap { if case .caller(let name) = $0 { name } else { nil } }
  }

  /// The variables of the environment that it needs.
  public var variables: [String] {
    parts.compactMap { if case .environment(let name) = $0 { name } else { nil } }
  }

  /// Whether it says who somebody is.
  public var isPersonal: Bool {
    parts.contains {
      switch $0 {
      case .column, .caller, .token: true
      case .text, .environment: false
      }
    }
  }

  public var usesToken: Bool { parts.contains(.token) }

  /// The text for one person.
  public func filled(
    row: (String) -> String?, environment: (String) -> String?, token: String? = nil,
    caller: [String: String]? = nil
  ) -> String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .column(let name): row(name) ?? ""
      case .caller(let name): caller?[name] ?? ""
      case .environment(let name): environment(name) ?? ""
      case .token: token ?? ""
      }
    }.joined()
  }
}

extension Substring {
  /// Where a text begins and ends in this one.
  fileprivate func range(of text: String) -> Range<Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
      start = index(after: start)
    }
    return nil
  }
}
