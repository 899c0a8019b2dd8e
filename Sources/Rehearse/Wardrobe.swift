import Contracts
import Foundation
import Scenarios

/// Who asks: a person of the world with its row, and what the twin in process says of the caller.
struct Wearer {
  let person: Int
  let row: [String: String]
  let caller: [String: String]?
}

/// Who the people of a world are to a foreign server: it dresses their requests, and reads the answers as theirs.
struct Wardrobe: Sendable {
  let server: ForeignServer
  /// What the server calls the population's things.
  let ids: [String: String]
  /// By person.
  private let rows: [[String: String]]
  /// By the value of the column by which callers are found.
  private let rowsByCaller: [String: [String: String]]
  private let environment: [String: String]

  init(
    _ server: ForeignServer, rows: [[String: String]], ids: [String: String] = [:],
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    self.server = server
    self.rows = rows
    self.ids = ids
    self.environment = environment
    rowsByCaller = Dictionary(
      rows.compactMap { row in server.rowOf.flatMap { row[$0] }.map { ($0, row) } },
      uniquingKeysWith: { first, _ in first })
  }

  /// - Returns: `nil` for a caller whom no row describes as the twin in process does: nobody can say who that would be.
  func wearer(_ person: Int, _ caller: [String: String]?) -> Wearer? {
    guard let key = server.rowOf else {
      return Wearer(
        person: person, row: rows.indices.contains(person) ? rows[person] : [:], caller: caller)
    }
    guard let caller else { return Wearer(person: person, row: [:], caller: nil) }
    guard let row = caller[key].flatMap({ rowsByCaller[$0] }),
      row.allSatisfy({ name, value in caller[name].map { $0 == value } ?? true })
    else { return nil }
    return Wearer(person: person, row: row, caller: caller)
  }

  /// The headers of a caller; where a twin in process signs callers in, one who proved nothing has none that says who it is.
  func headers(of wearer: Wearer, token: String?) -> [WireHeader] {
    let isAnonymous = !server.twinServices.isEmpty && wearer.caller == nil
    return server.headers.compactMap { header in
      guard !isAnonymous || !header.value.isPersonal else { return nil }
      return WireHeader(header.name, filled(header.value, for: wearer, token: token))
    }
  }

  private func filled(_ text: RowText, for wearer: Wearer, token: String? = nil) -> String {
    text.filled(
      row: { wearer.row[$0] }, environment: { environment[$0] }, token: token,
      caller: wearer.caller)
  }

  /// What a caller is called there, by the members that say so.
  func names(of wearer: Wearer) -> [String: String] {
    server.members.compactMapValues { wearer.row[$0] }
  }

  /// The request for a caller's token; `nil` where it needs none.
  func tokenRequest(for wearer: Wearer) -> (address: TokenAddress, form: String)? {
    guard let signIn = server.signIn, server.twinServices.isEmpty || wearer.caller != nil else {
      return nil
    }
    var form: [(String, String)] = [
      ("grant_type", signIn.grant == .password ? "password" : "client_credentials"),
      ("client_id", signIn.client),
    ]
    func add(_ name: String, _ text: RowText?) {
      if let text { form.append((name, filled(text, for: wearer))) }
    }
    add("client_secret", signIn.secret)
    if signIn.grant == .password {
      add("username", signIn.user)
      add("password", signIn.password)
    }
    if let scope = signIn.scope { form.append(("scope", scope)) }
    let text = form.map { WireForm.encode($0.0) + "=" + WireForm.encode($0.1) }
      .joined(separator: "&")
    guard signIn.isDiscovered else { return (.endpoint(signIn.url), text) }
    let wellKnown = "/.well-known/openid-configuration"
    let issuer = signIn.url.hasSuffix("/") ? String(signIn.url.dropLast()) : signIn.url
    return (.described(issuer.hasSuffix(wellKnown) ? issuer : issuer + wellKnown), text)
  }
}

/// The requests of a world's people in what they wear before one server, and the answers without it.
final class Dresser {
  let wardrobe: Wardrobe
  /// What the population calls a person where the server has another name: by person, then by member.
  private var own: [Int: [String: JSON]] = [:]

  /// What the population calls the things that the server has its own names for.
  private let things: [String: String]

  init(_ wardrobe: Wardrobe) {
    self.wardrobe = wardrobe
    things = Dictionary(wardrobe.ids.map { ($0.value, $0.key) }, uniquingKeysWith: min)
  }

  func dress(_ request: WireRequest, of wearer: Wearer, token: String?) -> WireRequest {
    var dressed = request
    for header in wardrobe.server.headers {
      dressed.headers.removeAll { $0.name.lowercased() == header.name.lowercased() }
    }
    dressed.headers += wardrobe.headers(of: wearer, token: token)
    let (person, names) = (wearer.person, wardrobe.names(of: wearer))
    guard !names.isEmpty || !wardrobe.ids.isEmpty else { return dressed }
    if let document = JSON(parsing: request.body) {
      dressed.body =
        exchanged(document, wardrobe.ids) { member, value in
          guard let name = names[member] else { return nil }
          own[person, default: [:]][member] = value
          if case .int = value, let number = Int64(name) { return .int(number) }
          return .string(name)
        }.bytes
    }
    dressed.target = target(request.target, of: person, names)
    return dressed
  }

  /// Segments and values of a target that are the person's own, or name a thing.
  private func target(_ target: String, of person: Int, _ names: [String: String]) -> String {
    var result = ""
    var word = ""
    func close() {
      let plain = word.removingPercentEncoding ?? word
      let member = own[person]?.sorted { $0.key < $1.key }
        .first { ($0.value.string ?? $0.value.description) == plain }?.key
      let name = member.flatMap { names[$0] } ?? wardrobe.ids[plain]
      result += name.map(WireForm.encode) ?? word
      word = ""
    }
    for character in target {
      if "/?&=".contains(character) {
        close()
        result.append(character)
      } else {
        word.append(character)
      }
    }
    close()
    return result
  }

  func undress(_ response: WireResponse, for wearer: Wearer) -> WireResponse {
    let (names, own) = (wardrobe.names(of: wearer), own[wearer.person] ?? [:])
    guard !names.isEmpty || !things.isEmpty, let document = response.body else { return response }
    var plain = response
    plain.body = exchanged(document, things) { member, value in
      guard let name = names[member], (value.string ?? value.description) == name else {
        return nil
      }
      return own[member]
    }
    return plain
  }

  /// The document with other values of some members, and other names of things.
  private func exchanged(
    _ document: JSON, _ things: [String: String], _ value: (String, JSON) -> JSON?
  ) -> JSON {
    switch document {
    case .string(let text): return things[text].map(JSON.string) ?? document
    case .array(let items): return .array(items.map { exchanged($0, things, value) })
    case .object(let object):
      var changed = JSONObject()
      for (name, member) in object.members {
        changed[name] = value(name, member) ?? exchanged(member, things, value)
      }
      return .object(changed)
    default: return document
    }
  }
}
