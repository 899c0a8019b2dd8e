import Contracts
import Testing

/// A contract whose operations are asked for in several ways: an archive of boxes.
private enum Archive: DeclaredContract {
  static let domain = "archive"
  static let limits: [Limit] = []

  struct Place: Hashable, Sendable {
    var town: String?
    var bytes = 0

    static let shape = Shape(
      { Place(town: $0, bytes: $1) }, Field("town", \.town, .omittable(.text), in: .path),
      Field("size", \.bytes, .int, in: .size))
  }

  struct Box: Hashable, Sendable {
    var name: String
    var isSealed: Bool
    var owner: String?

    static let shape = Shape(
      Box.init, Field("name", \.name, .text).or("label"),
      Field("isSealed", \.isSealed, .flag.leftOut(for: false)),
      Field("owner", \.owner, .lenient(.text).hidden))
  }

  enum Request: DeclaredRequest {
    case store(Place, Box)
    case list
    case scan([UInt8])
    case follow(address: String, page: Int?)
    case unread(Unread)

    var store: (Place, Box)? { if case .store(let at, let it) = self { (at, it) } else { nil } }
    var scan: [UInt8]? { if case .scan(let it) = self { it } else { nil } }
    var follow: (address: String, page: Int?)? {
      if case .follow(let address, let page) = self { (address, page) } else { nil }
    }
    var unread: Unread? { if case .unread(let it) = self { it } else { nil } }
  }

  enum Result: Hashable, Sendable {
    case box(Box)
    case gone(String)

    static let coding = Coding<Result>.oneOf(
      .kind(Coding.text.wrapped(in: "gone"), Result.gone, \.gone) { $0["gone"] != nil },
      .kind(Box.shape.coding, Result.box, \.box))

    var box: Box? { if case .box(let it) = self { it } else { nil } }
    var gone: String? { if case .gone(let it) = self { it } else { nil } }
  }

  typealias Reply = [Result]
  enum RefusalKind: String, Contracts.RefusalKind {
    case full
    var status: Int { 507 }
  }
  typealias Refusal = CodedRefusal<RefusalKind>
  typealias Signal = Never
  typealias Address = Never
  typealias Note = Never
  typealias Credential = Authorization

  static let results = ReplyForm<Self>.json(
    Shape({ $0 }, Field("results", \.self, .list(Result.coding))), { $0 }, { $0 })

  static let table = ContractTable<Self>(
    [
      Endpoint(
        "store", "Store a box", source: "1", "POST", "/boxes", body: .json,
        asks: Shape({ ($0, $1) }, Field({ $0.0 }, Place.shape), Field({ $0.1 }, shouted)),
        { .store($0.0, $0.1) }, \.store, answers: [results]
      ).also(nil, "/towns/{town}/boxes"),
      Endpoint("list", "List boxes", source: "2", "GET", "/all", asks: .list, answers: [results])
        .also("POST", body: .optionalJSON).also("PATCH", body: .lenientJSON),
      Endpoint(
        "scan", "Read a box in", source: "3", "PUT", "/scans/{id}", body: .bytes,
        asks: Shape<[UInt8]>(
          members: [], read: { $0.content }, write: { bytes, _ in WireParts(content: bytes) },
          mix: { $1.mix($0.count) }), Request.scan, \.scan, answers: [results]),
      Endpoint(
        "follow", "Follow an address", source: "4", "GET", "/pages/{key}", access: .optional,
        asks: Shape(
          { (address: $0, page: $1) }, Field("address", { $0.address }, .text, in: .target),
          Field("page", { $0.page }, .lenient(.decimal), in: .query)),
        { .follow(address: $0.address, page: $0.page) }, \.follow, answers: [results]),
    ], unrouted: "0",
    refusalForms: [[.json(Shape({ Refusal($0) }, Field("code", \.kind, .word))) { _ in 507 }]])

  /// Names travel in capitals.
  private static let shouted = Box.shape.respelt(
    reading: { $0["name"] == nil ? $0 : $0.naming { $0.lowercased() } },
    writing: { document, _ in document.naming { $0.uppercased() } })

  static func credential(of wire: WireRequest) -> Credential? { nil }
  static func present(
    _ credential: Credential, in wire: inout WireRequest, tokens: any TokenCodec
  ) {}
  static func show(_ note: Never) -> JSON {}
  static func bare(_ target: String) -> String { String(target.prefix { $0 != "?" }) }
}

extension JSON {
  fileprivate func naming(_ change: (String) -> String) -> JSON {
    guard var object, let name = object["name"]?.string else { return self }
    object["name"] = .string(change(name))
    return .object(object)
  }
}

private func wire(_ request: Archive.Request) -> WireRequest {
  Archive.write(request, credential: nil, tokens: NoTokens())
}

private func read(_ method: String, _ target: String, _ body: String = "") -> Archive.Request {
  Archive.read(WireRequest(method, target, body: Array(body.utf8))).request
}

@Suite struct `A declaration that varies` {
  @Test func `takes the way that says just what is asked, and reads every way`() {
    let box = Archive.Box(name: "a", isSealed: false, owner: nil)
    let anywhere = wire(.store(.init(town: nil), box))
    #expect(anywhere.target == "/boxes" && anywhere.body == Array(#"{"name":"A"}"#.utf8))
    #expect(wire(.store(.init(town: "b/c"), box)).target == "/towns/b%2Fc/boxes")
    #expect(
      read("POST", "/towns/x/boxes", #"{"label":"q"}"#)
        == .store(.init(town: "x", bytes: 13), .init(name: "q", isSealed: false, owner: nil)))
    #expect(read("GET", "/all") == .list && read("POST", "/all") == .list)
    guard case .unread(.unrouted(let asked)) = read("PUT", "/all?secret=1") else {
      Issue.record("nothing takes PUT")
      return
    }
    #expect(asked.allowed == ["GET", "POST", "PATCH"] && asked.target == "/all")
  }

  @Test func `reads an empty body as an empty document where it may be left out`() {
    #expect(read("POST", "/all", "{}") == .list)
    #expect(read("POST", "/all", "[]") == .unread(.malformed(operation: 1, .noDocument)))
    for body in ["", "{}", "[]", "null", "7", #""a""#] {
      #expect(read("PATCH", "/all", body) == .list, "\(body)")
    }
    #expect(read("PATCH", "/all", "{") == .unread(.malformed(operation: 1, .noDocument)))
    #expect(read("POST", "/boxes") == .unread(.malformed(operation: 0, .noDocument)))
    #expect(read("POST", "/boxes", "{}") == .unread(.malformed(operation: 0, .missing("name"))))
  }

  @Test func `carries bytes as they are`() {
    #expect(read("PUT", "/scans/7", "{") == .scan([0x7B]))
    #expect(wire(.scan([1, 2])).body == [1, 2])
  }

  @Test func `follows an address with what else it has to say`() {
    #expect(wire(.follow(address: "/pages/k?a=1", page: 2)).target == "/pages/k?a=1&page=2")
    #expect(wire(.follow(address: "/pages/k", page: nil)).target == "/pages/k")
    #expect(read("GET", "/pages/k?page=x") == .follow(address: "/pages/k?page=x", page: nil))
  }

  @Test func `tells kinds of documents apart by what they hold`() throws {
    let results: [Archive.Result] = [
      .gone("a"), .box(.init(name: "b", isSealed: true, owner: "o")),
    ]
    let answer = Archive.write(.success(results), to: .list, tokens: NoTokens())
    #expect(
      answer.body == ["results": [["gone": "a"], ["name": "b", "isSealed": true, "owner": "o"]]])
    #expect(Archive.read(answer, to: .list) == .success(results))
    #expect(
      Archive.show(results) == ["results": [["gone": "a"], ["name": "b", "isSealed": true]]])
    let odd: JSON = ["results": [["name": "b", "owner": 5]]]
    #expect(
      Archive.read(WireResponse(200, body: odd), to: .list)
        == .success([.box(.init(name: "b", isSealed: false, owner: nil))]))
  }

  @Test func `describes every way, each under a name of its own`() throws {
    let paths = try #require(Archive.openAPI?["paths"])
    #expect(paths["/boxes"]?["post"]?["operationId"] == "store")
    let further = try #require(paths["/towns/{town}/boxes"]?["post"])
    #expect(further["operationId"] == "store2")
    #expect(further["parameters"]?.array?.compactMap { $0["name"]?.string } == ["town"])
    #expect(paths["/boxes"]?["post"]?["parameters"] == [])
    #expect(paths["/all"]?["post"]?["requestBody"]?["required"] == false)
    #expect(
      paths["/scans/{id}"]?["put"]?["parameters"]?.array?.compactMap { $0["name"]?.string } == [
        "id"
      ])
  }
}
