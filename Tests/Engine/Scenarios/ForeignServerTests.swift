import Scenarios
import Testing

@Suite struct `Reading where servers are` {
  private func server(_ members: [(String, Tree)]) throws -> ForeignServer {
    let (found, _) = try read(
      scenario(("target", .mapping([("canteen", .mapping(members))]))))
    return try #require(found.servers.first)
  }

  private func wrong(_ members: [(String, Tree)]) -> [String] {
    messages(scenario(("target", .mapping([("canteen", .mapping(members))]))))
  }

  private static let url: (String, Tree) = ("url", "https://test.example/api")

  @Test func `headers, rows and tokens are places in texts`() throws {
    let found = try server([
      Self.url, ("headers", ["Authorization": "Bearer ${token}", "X-Key": "${env.KEY}"]),
      ("feeder", "people.csv"), ("members", ["email": "address"]),
      (
        "signIn",
        [
          "url": "https://id.example/token", "grant": "password", "client": "load",
          "user": "${row.user}", "password": "${row.password}",
        ]
      ), ("population", "prepared"),
    ])
    #expect(found.columns == ["address", "user", "password"] && found.variables == ["KEY"])
    #expect(found.urls == ["": "https://test.example/api"] && found.isPrepared)
    let header = try #require(found.headers.first { $0.name == "Authorization" })
    #expect(
      header.value.filled(row: { _ in nil }, environment: { _ in nil }, token: "abc")
        == "Bearer abc")
  }

  @Test func `a service may stay in process, and headers say whom it has signed in`() throws {
    let services: Tree = ["api": "https://test.example", "door": "twin"]
    let found = try server([
      ("services", services), ("headers", ["X-User": "<${caller.name}>"]), ("ids", "ids.csv"),
      ("feeder", "people.csv"), ("rowOf", "name"),
    ])
    #expect(found.urls == ["api": "https://test.example"] && found.twinServices == ["door"])
    #expect(found.columns == ["name"] && found.ids == "ids.csv")
    let header = try #require(found.headers.first?.value)
    #expect(header.isPersonal)
    #expect(
      header.filled(row: { _ in nil }, environment: { _ in nil }, caller: ["name": "Ann"])
        == "<Ann>")

    #expect(
      wrong([("services", services), ("headers", ["X": "${caller.nam}"])]).first?
        .contains("has a fact 'nam'; did you mean 'name'?") == true)
    #expect(
      wrong([Self.url, ("headers", ["X": "${caller.name}"])]).first?
        .contains("give services: {…, door: twin}") == true)
    #expect(
      wrong([("services", ["api": "https://test.example", "gate": "twin"])]).first?
        .contains("no service 'gate' for a twin in process") == true)
    #expect(
      wrong([("services", ["door": "twin"])]).first?
        .contains("no service of this target has an address") == true)
  }

  @Test func `a token endpoint is given, or the issuer that names it`() throws {
    let asking: [(String, Tree)] = [("grant", "clientCredentials"), ("client", "load")]
    func signIn(_ more: [(String, Tree)]) -> (String, Tree) { ("signIn", .mapping(asking + more)) }
    let issuer: (String, Tree) = ("discovery", "https://id.example/realms/agency")
    let found = try #require(try server([Self.url, signIn([issuer])]).signIn)
    #expect(found.isDiscovered && found.url == "https://id.example/realms/agency")
    let endpoint: (String, Tree) = ("url", "https://id.example/token")
    for wrongly in [[], [issuer, endpoint]] {
      #expect(
        wrong([Self.url, signIn(wrongly)]).first?.contains("needs one of 'url' and 'discovery'")
          == true)
    }
  }

  @Test func `what is missing or means nothing is named, and no value is shown`() {
    #expect(wrong([]).first?.contains("'url' is missing in a target") == true)
    #expect(
      wrong([Self.url, ("headers", ["X": "${row.key}"])]).first?.contains("add feeder") == true)
    #expect(
      wrong([Self.url, ("headers", ["X": "Bearer ${token}"])]).first?.contains("add signIn") == true
    )
    let secret = wrong([Self.url, ("headers", ["X": "s3cret ${what}"])])
    #expect(secret.count == 1 && secret[0].contains("is no place for a value"))
    #expect(!secret[0].contains("s3cret"))
    #expect(
      wrong([("url", "https://user:s3cret@test.example")]).first?.contains("s3cret") == false)
  }
}
