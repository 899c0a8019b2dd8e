import Contracts
import Testing

/// A contract that says 404 for a path before it says what is wrong with a body, and answers `OPTIONS` of any path.
private enum Cellar: DeclaredContract {
  static let domain = "cellar"

  struct Relabelling: Hashable, Sendable {
    var name: Edit<String> = .unchanged
    var note: Edit<String?> = .unchanged

    static let shape = Shape(
      { Relabelling(name: $0, note: $1) }, Field("name", \.name, .change(.text(1...9))),
      Field("note", \.note, .change(.optional(.text))))
  }

  struct Update: Hashable, Sendable {
    var bottle: Int
    var change: Result<Relabelling, Unread.Fault>

    static let shape = Shape(
      Update.init, Field("bottle", \.bottle, .decimal, in: .path),
      Field(\.change, Relabelling.shape.orFault))
  }

  enum Request: DeclaredRequest {
    case list
    case update(Update)
    case unread(Unread)

    var update: Update? { if case .update(let it) = self { it } else { nil } }
    var unread: Unread? { if case .unread(let it) = self { it } else { nil } }
  }

  enum Reply: Hashable, Sendable { case done, methods }

  enum RefusalKind: String, Contracts.RefusalKind {
    case nowhere
    var status: Int { 404 }
  }

  typealias Refusal = CodedRefusal<RefusalKind>
  typealias Signal = Never
  typealias Address = Never
  typealias Note = Never
  typealias Credential = String

  private static func form(_ reply: Reply, _ status: Int) -> ReplyForm<Self> {
    ReplyForm(
      status: status, mediaType: nil,
      write: { told, _, _ in told == reply ? WireResponse(status) : nil },
      read: { response, _ in response.status == status ? reply : nil },
      mix: { told, _ in told == reply })
  }

  static let table = ContractTable<Self>(
    [
      Endpoint(
        "list", "List", source: "1", "GET", "/bottles", asks: .list, answers: [form(.done, 200)]
      ).also(nil, "/bottles/"),
      Endpoint(
        "update", "Relabel", source: "2", "PUT", "/bottles/{bottle}", body: .json,
        asks: Update.shape, Request.update, \.update, answers: [form(.done, 200)]),
    ], unrouted: "3",
    refusalForms: [[.json(Shape({ Refusal($0) }, Field("code", \.kind, .word))) { _ in 404 }]],
    unroutedAnswers: [form(.methods, 204)])

  static func credential(of wire: WireRequest) -> String? { nil }
  static func present(
    _ credential: String, in wire: inout WireRequest, tokens: any TokenCodec
  ) {}
  static func show(_ note: Never) -> JSON {}
}

@Suite struct `A partial update` {
  private func read(_ body: String) -> Cellar.Request {
    Cellar.read(WireRequest("PUT", "/bottles/7", body: Array(body.utf8))).request
  }

  @Test func `tells what is absent from what is null, and what is null from what may not be`() {
    #expect(read("{}") == .update(.init(bottle: 7, change: .success(.init()))))
    #expect(
      read(#"{"note": null}"#) == .update(.init(bottle: 7, change: .success(.init(note: .to(nil)))))
    )
    #expect(
      read(#"{"note": "x", "name": "y"}"#)
        == .update(.init(bottle: 7, change: .success(.init(name: .to("y"), note: .to("x"))))))
    #expect(
      read(#"{"name": null}"#) == .update(.init(bottle: 7, change: .failure(.invalid("name")))))
    #expect(Edit.to("new").applied(to: "old") == "new")
    #expect(Edit.unchanged.applied(to: "old") == "old")
  }

  @Test func `carries the fault of its body as a value, with the path that it goes to`() {
    #expect(
      read(#"{"name": "far too long"}"#)
        == .update(.init(bottle: 7, change: .failure(.invalid("name")))))
    let path = Cellar.read(WireRequest("PUT", "/bottles/x", body: Array("{}".utf8))).request
    #expect(path == .unread(.malformed(operation: 1, .invalid("bottle"))))
  }

  @Test func `comes back from the wire as it went`() {
    for change: Result<Cellar.Relabelling, Unread.Fault> in [
      .success(.init()), .success(.init(name: .to("y"), note: .to(nil))),
      .failure(.invalid("name")), .failure(.invalid("note")),
    ] {
      let request = Cellar.Request.update(.init(bottle: 7, change: change))
      let wire = Cellar.wire(request, .redacted)
      #expect(Cellar.read(wire).request == request)
    }
  }

  @Test func `is described with null where null is a value, and without where it is none`() {
    let body = Cellar.openAPI?["paths"]?["/bottles/{bottle}"]?["put"]?["requestBody"]
    let schema = body?["content"]?["application/json"]?["schema"]
    #expect(schema?["required"] == [])
    #expect(schema?["properties"]?["name"]?["type"] == "string")
    #expect(schema?["properties"]?["note"]?["anyOf"]?[1] == ["type": "null"])
  }
}

@Suite struct `A request that no operation takes` {
  @Test func `has answers of its own where the contract declares some`() {
    let asked = Cellar.read(WireRequest("OPTIONS", "/bottles/7")).request
    #expect(asked == .unread(.unrouted(.init("OPTIONS", "/bottles/7", allowed: ["PUT"]))))
    let refused = Cellar.read(WireResponse(404, body: ["code": "nowhere"]), to: asked)
    #expect((try? refused?.get()) == nil && refused != nil)
    let answered = Cellar.read(WireResponse(204), to: asked)
    #expect((try? answered?.get()) == .methods)
    #expect(Cellar.show(.methods) == [:])
  }

  @Test func `is one with a slash at the end of its path, unless the contract declares that, too`()
  {
    #expect(Cellar.read(WireRequest("GET", "/bottles")).request == .list)
    #expect(Cellar.read(WireRequest("GET", "/bottles/")).request == .list)
    #expect(Cellar.read(WireRequest("PUT", "/bottles/7/")).request.unread != nil)
    #expect(Cellar.read(WireRequest("GET", "/bottles//")).request.unread != nil)
  }
}
