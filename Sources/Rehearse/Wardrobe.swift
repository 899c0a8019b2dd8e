import Contracts
import Foundation
import Scenarios

/// Who the people of a world are to a foreign server: it dresses their requests, and reads the answers as theirs.
struct Wardrobe: Sendable {
  let server: ForeignServer
  /// By person.
  let rows: [[String: String]]
  private let environment: [String: String]

  init(
    _ server: ForeignServer, rows: [[String: String]],
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    self.server = server
    self.rows = rows
    self.environment = environment
  }

  func filled(_ text: RowText, for person: Int, token: String? = nil) -> String {
    text.filled(
      row: { column in rows.indices.contains(person) ? rows[person][column] : nil },
      environment: { environment[$0] }, token: token)
  }

  /// What a person is called there, by the members that say so.
  func names(of person: Int) -> [String: String] {
    guard rows.indices.contains(person) else { return [:] }
    return server.members.compactMapValues { rows[person][$0] }
  }

  /// The request for a token of a person's.
  func tokenRequest(for person: Int) -> (url: String, form: String)? {
    guard let signIn = server.signIn else { return nil }
    var form: [(String, String)] = [
      ("grant_type", signIn.grant == .password ? "password" : "client_credentials"),
      ("client_id", signIn.client),
    ]
    func add(_ name: String, _ text: RowText?) {
      if let text { form.append((name, filled(text, for: person))) }
    }
    add("client_secret", signIn.secret)
    if signIn.grant == .password {
      add("username", signIn.user)
      add("password", signIn.password)
    }
    if let scope = signIn.scope { form.append(("scope", scope)) }
    return (
      signIn.url,
      form.map { WireForm.encode($0.0) + "=" + WireForm.encode($0.1) }.joined(separator: "&")
    )
  }
}

/// The requests of a world's people in what they wear before one server, and the answers without it.
final class Dresser {
  let wardrobe: Wardrobe
  /// What the population calls a person where the server has another name: by person, then by member.
  private var own: [Int: [String: JSON]] = [:]

  init(_ wardrobe: Wardrobe) { self.wardrobe = wardrobe }

  func dress(_ request: WireRequest, of person: Int, token: String?) -> WireRequest {
    var dressed = request
    for header in wardrobe.server.headers {
      dressed.headers.removeAll { $0.name.lowercased() == header.name.lowercased() }
      dressed.headers.append(
        WireHeader(header.name, wardrobe.filled(header.value, for: person, token: token)))
    }
    let names = wardrobe.names(of: person)
    guard !names.isEmpty else { return dressed }
    if let document = JSON(parsing: request.body) {
      dressed.body =
        exchanged(document) { member, value in
          guard let name = names[member] else { return nil }
          own[person, default: [:]][member] = value
          if case .int = value, let number = Int64(name) { return .int(number) }
          return .string(name)
        }.bytes
    }
    dressed.target = target(request.target, of: person, names)
    return dressed
  }

  /// Segments and values of a target that are the person's own.
  private func target(_ target: String, of person: Int, _ names: [String: String]) -> String {
    var result = ""
    var word = ""
    func close() {
      let plain = word.removingPercentEncoding ?? word
      let member = own[person]?.sorted { $0.key < $1.key }
        .first { ($0.value.string ?? $0.value.description) == plain }?.key
      result += member.flatMap { names[$0] }.map(WireForm.encode) ?? word
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

  func undress(_ response: WireResponse, for person: Int) -> WireResponse {
    let names = wardrobe.names(of: person)
    guard !names.isEmpty, let document = response.body, let own = own[person] else {
      return response
    }
    var plain = response
    plain.body = exchanged(document) { member, value in
      guard let name = names[member], (value.string ?? value.description) == name else {
        return nil
      }
      return own[member]
    }
    return plain
  }

  /// The document with other values of some members.
  private func exchanged(_ document: JSON, _ value: (String, JSON) -> JSON?) -> JSON {
    switch document {
    case .array(let items): return .array(items.map { exchanged($0, value) })
    case .object(let object):
      var changed = JSONObject()
      for (name, member) in object.members {
        changed[name] = value(name, member) ?? exchanged(member, value)
      }
      return .object(changed)
    default: return document
    }
  }
}
