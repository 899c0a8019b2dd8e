import Contracts

/// Servers that were not started for the run.
extension Reading {
  static let serverKeys = [
    "url", "services", "headers", "feeder", "rowOf", "ids", "members", "signIn", "population",
  ]
  static let signInKeys = [
    "url", "discovery", "grant", "client", "secret", "user", "password", "scope",
  ]
  private static let serverExample = "{DOMAIN: {url: \"https://test.example\", feeder: people.csv}}"

  func servers(
    _ node: SourceNode, _ worlds: [World]
  ) -> [ForeignServer] {
    guard let given = freeMembers(of: node, "'target'", example: Self.serverExample) else {
      return []
    }
    return given.compactMap { name, member in
      guard let world = worlds.first(where: { $0.domain == name }) else {
        unknown(
          member.key, "the scenario has no world \(member.key.inWords)", among: worlds.map(\.domain)
        )
        return nil
      }
      if world.regions != 1 {
        wrong(
          member.key, "a server is one region, and the scenario gives '\(name)' \(world.regions)",
          "give 'regions: 1'")
      }
      return server(member.value, of: name)
    }
  }

  private func server(_ node: SourceNode, of domain: String) -> ForeignServer? {
    guard
      let members = members(
        of: node, "a target", keys: Self.serverKeys, example: "{url: \"https://test.example\"}")
    else { return nil }
    let urls = urls(members, node, of: domain)
    let headers = members["headers"].map { header in
      texts(header, "headers", example: "{Authorization: \"Bearer ${row.token}\"}")
        .map { ForeignServer.Header($0.name, $0.text) }
    }
    let feeder = members["feeder"].flatMap {
      text($0, "feeder", wanted: "a file beside the scenario, e.g. people.csv")
    }
    let rowOf = members["rowOf"].flatMap {
      text($0, "rowOf", wanted: "a fact of callers, e.g. username")
    }
    let ids = members["ids"].flatMap {
      text($0, "ids", wanted: "a file beside the scenario, e.g. ids.csv")
    }
    let columns = members["members"].map(self.columns) ?? [:]
    let signIn = members["signIn"].flatMap(self.signIn)
    let population = members["population"].flatMap {
      choice($0, "population", among: ["prepared", "unknown"])
    }
    guard let urls else { return nil }
    let server = ForeignServer(
      domain: domain, urls: urls.elsewhere, twinServices: urls.inProcess, headers: headers ?? [],
      feeder: feeder, rowOf: rowOf, ids: ids, members: columns, signIn: signIn,
      isPrepared: population == "prepared", location: node.location)
    if feeder == nil, let column = server.columns.first {
      wrong(
        node, "'${row.\(printable(column))}' needs a row for each person",
        "add feeder: people.csv, with a column '\(printable(column))'")
    }
    checkCallers(of: server, node)
    if signIn == nil, server.headers.contains(where: \.value.usesToken) {
      wrong(node, "'${token}' needs a token endpoint", "add signIn: {url: …, grant: …, client: …}")
    }
    return server
  }

  /// Who a caller is, is known where the twin in process signs callers in.
  private func checkCallers(of server: ForeignServer, _ node: SourceNode) {
    guard let name = server.callers.first else { return }
    let domain = server.domain
    let declared = declaration(of: domain)?.callers ?? []
    guard !server.twinServices.isEmpty else {
      let service = declaration(of: domain)?.twinServices.first
      return wrong(
        node, "'${caller.\(printable(name))}' needs a twin in process that signs callers in",
        service.map { "give services: {…, \($0): twin}" }
          ?? "\(domain) has none: use ${row.COLUMN} with a feeder")
    }
    for name in server.callers where !declared.contains(name) {
      unknown(
        node, "no caller of \(domain) has a fact '\(printable(name))'", name: name,
        among: declared)
    }
  }

  /// Where services are: elsewhere, or in process.
  private func urls(
    _ members: [String: SourceNode], _ node: SourceNode, of domain: String
  ) -> (elsewhere: [String: String], inProcess: [String])? {
    switch (members["url"], members["services"]) {
    case (let url?, nil): return address(url).map { (["": $0], []) }
    case (nil, let services?):
      guard
        let given = freeMembers(
          of: services, "'services'", example: "{api: \"https://test.example\"}")
      else { return nil }
      let twins = declaration(of: domain)?.twinServices ?? []
      var (urls, inProcess): ([String: String], [String]) = ([:], [])
      for (name, member) in given {
        if member.value.text != "twin" {
          urls[name] = address(member.value)
        } else if twins.contains(name) {
          inProcess.append(name)
        } else {
          unknown(
            member.key, "\(domain) has no service '\(printable(name))' for a twin in process",
            among: twins)
        }
      }
      guard !urls.isEmpty || given.isEmpty else {
        wrong(
          services, "no service of this target has an address",
          "add one, e.g. {api: \"https://test.example\"}")
        return nil
      }
      return (urls, inProcess)
    case (nil, nil):
      wrong(node, "'url' is missing in a target", "add it, e.g. url: \"https://test.example\"")
      return nil
    case (_?, let services?):
      wrong(services, "a target says both 'url' and 'services'", "remove one of them")
      return nil
    }
  }

  private func address(_ node: SourceNode) -> String? {
    let wanted = "an absolute http or https URL without query, e.g. https://test.example/api"
    guard let url = text(node, "url", wanted: wanted) else { return nil }
    guard url.hasPrefix("http://") || url.hasPrefix("https://"), !url.contains("?"),
      !url.contains("#"), !url.contains("@"), url == printable(url, limit: 2_000)
    else {
      wrong(node, "'url' is none that a target can have", "give \(wanted)")
      return nil
    }
    return url
  }

  private func columns(_ node: SourceNode) -> [String: String] {
    let example = "{email: address}"
    var columns: [String: String] = [:]
    for (name, member) in freeMembers(of: node, "'members'", example: example) ?? [] {
      columns[name] = text(member.value, name, wanted: "the name of a column, e.g. \(example)")
    }
    return columns
  }

  private func signIn(_ node: SourceNode) -> ForeignServer.SignIn? {
    let example =
      "{url: \"https://id.example/token\", grant: clientCredentials, client: load, secret: \"${env.SECRET}\"}"
    guard
      let members = members(
        of: node, "'signIn'", keys: Self.signInKeys, required: ["grant", "client"],
        example: example)
    else { return nil }
    let grant = members["grant"].flatMap {
      choice($0, "grant", among: ForeignServer.SignIn.Grant.allCases.map(\.rawValue))
    }.flatMap(ForeignServer.SignIn.Grant.init)
    guard (members["url"] == nil) != (members["discovery"] == nil) else {
      wrong(
        node, "'signIn' needs one of 'url' and 'discovery'",
        "give the token endpoint, or the issuer whose description names it")
      return nil
    }
    guard let url = (members["url"] ?? members["discovery"]).flatMap(address), let grant,
      let client = members["client"].flatMap({ text($0, "client", wanted: "the client's name") })
    else { return nil }
    let (user, password) = (
      members["user"].flatMap { rowText($0, "user") },
      members["password"].flatMap { rowText($0, "password") }
    )
    if grant == .password, user == nil || password == nil {
      wrong(
        node, "the grant 'password' needs 'user' and 'password'",
        "add user: \"${row.user}\", password: \"${row.password}\"")
    }
    return ForeignServer.SignIn(
      url: url, isDiscovered: members["discovery"] != nil, grant: grant, client: client,
      secret: members["secret"].flatMap { rowText($0, "secret") }, user: user, password: password,
      scope: members["scope"].flatMap { text($0, "scope", wanted: "scopes with blanks between") })
  }

  private func texts(
    _ node: SourceNode, _ name: String, example: String
  ) -> [(name: String, text: RowText)] {
    (freeMembers(of: node, "'\(name)'", example: example) ?? []).compactMap { key, member in
      rowText(member.value, key).map { (key, $0) }
    }
  }

  private func rowText(_ node: SourceNode, _ name: String) -> RowText? {
    let wanted =
      "text with ${row.COLUMN}, ${caller.FACT}, ${env.NAME} or ${token} where a value belongs"
    guard let text = text(node, name, wanted: wanted) else { return nil }
    do throws(RowText.Problem) { return try RowText(text) } catch {
      // Never the text itself: it may be a secret.
      wrong(node, "'\(name)': \(error.why)", "give \(wanted)")
      return nil
    }
  }
}
