import Contracts
import Testing
import Timekeeping

/// A contract of the tests' own: a library that lends books.
private enum Library: DeclaredContract {
  static let domain = "library"

  struct Loan: Hashable, Sendable {
    var book: Int
    var reader: String
    var days: Int?
    var tags: [String]
    var pin: String

    static let shape = Shape(
      Loan.init, Field("id", \.book, .decimal, in: .path), Field("reader", \.reader, .text(1...8)),
      Field("days", \.days, .omittable(.int(1...30))),
      Field("tags", \.tags, .list(.text).otherwise([])),
      Field("X-Pin", \.pin, .text.secret(), in: .header))
  }

  struct Shelf: Hashable, Sendable {
    var name: String
    var books: [Int]

    static let shape = Shape(
      Shelf.init, Field("name", \.name, .text).also("label"),
      Field("books", \.books, .list(.int)).then("count", .int, \.books.count))
  }

  /// A book that stands on a shelf from one day to another.
  struct Lot: Hashable, Sendable {
    var book: Int
    var days: ClosedRange<Int>

    static let shape = Shape(Lot.init, Field("book", \.book, .int), Field(\.days, days)).closed
    private static let days = Shape(Field("from", .int), Field("to", .int)).converted(
      to: { (days) throws(Malformed) in
        guard days.0 <= days.1 else { throw .invalid("ends before it begins") }
        return days.0...days.1
      }, from: { ($0.lowerBound, $0.upperBound) })
  }

  enum Request: DeclaredRequest {
    case lend(Loan)
    case place(String, [Lot])
    case shelf(String)
    case close
    case burn(Int)
    case count
    case unread(Unread)

    var lend: Loan? { if case .lend(let it) = self { it } else { nil } }
    var shelf: String? { if case .shelf(let it) = self { it } else { nil } }
    var burn: Int? { if case .burn(let it) = self { it } else { nil } }
    var unread: Unread? { if case .unread(let it) = self { it } else { nil } }
  }

  enum Reply: Hashable, Sendable {
    case shelf(Shelf)
    case done

    var shelf: Shelf? { if case .shelf(let it) = self { it } else { nil } }
  }

  enum RefusalKind: String, Contracts.RefusalKind {
    case gone, late, unreadable

    var status: Int {
      switch self {
      case .gone: 410
      case .late: 409
      case .unreadable: 400
      }
    }
  }

  typealias Refusal = CodedRefusal<RefusalKind>
  typealias Signal = Never
  typealias Address = Never
  typealias Note = Never
  typealias Credential = Authorization

  static let done: Reply? = .done
  static let answer = ReplyForm<Self>.json(Shelf.shape, Reply.shelf, \.shelf)
  static let lend = Endpoint<Self>(
    "lend", "Lend a book", source: "1", "PUT", "/books/{id}/loan", body: .json,
    asks: Loan.shape, Request.lend, \.lend, answers: [answer], refuses: [.gone, .late])
  static let shelf = Endpoint<Self>(
    "shelf", "A shelf", source: "2", "GET", "/shelves", access: .open, asks: shelfName,
    Request.shelf, { $0.shelf.flatMap { $0.isEmpty ? nil : $0 } }, answers: [answer])
  /// The shelf without a name is answered otherwise.
  static let strays = Endpoint<Self>(
    "strays", "Books without a shelf", source: "4", "GET", "/shelves", access: .open,
    asks: shelfName, Request.shelf, { $0.shelf.flatMap { $0.isEmpty ? $0 : nil } },
    answers: [
      .json(
        Shape({ Shelf(name: "", books: $0) }, Field("strays", \.books, .list(.int))),
        Reply.shelf, { $0.shelf.flatMap { $0.name.isEmpty ? $0 : nil } }, readUnder: 200..<300)
    ]
  ).readElsewhere
  private static let shelfName = Shape(
    { $0 }, Field("name", \.self, .text, in: .query).single.whenMissing("has to be told"))
  static let close = Endpoint<Self>(
    "close", "Close a book", source: "3", "DELETE", "/books/{id}/loan",
    asks: Shape({ _ in NoMembers() }, Field("id", { _ in 1 }, .decimal, in: .path)),
    { _ in .close }, { $0 == .close ? NoMembers() : nil }, answers: [answer])

  static let table = ContractTable<Self>(
    [lend, shelf, close, strays],
    commands: [
      Command(
        "burn", "A book is gone.", Shape({ $0 }, Field("book", \.self, .int(1...9), "which one")),
        Request.burn),
      Command(
        "count", "How many there are.", .count, answers: [answer]),
      Command(
        "place", "Books arrive.", Request.place,
        Field("shelf", .text, "Where;").or("rack", "board"),
        Field("lots", .list(Lot.shape.coding).otherwise([]), "Which.")),
    ], unrouted: "0", operator: "9",
    refusalForms: [
      [
        .json(
          Shape(
            { Refusal($0, retryAfterSeconds: $1) }, Field("code", \.kind, .word), .retryAfter())
        ) { $0.kind.status }
      ]
    ], refusals: [.unreadable], bodies: BodyRules(most: 200), targets: .strict,
    others: [Operation("census", "Census", kind: .inspection, source: "8")])

  static func credential(of wire: WireRequest) -> Credential? {
    wire.header("Authorization").map { Authorization($0) }
  }
  static func present(
    _ credential: Credential, in wire: inout WireRequest, tokens: any TokenCodec
  ) { wire.headers.append(WireHeader("Authorization", credential.header)) }
  static func show(_ note: Never) -> JSON {}
}

private func wire(_ request: Library.Request) -> WireRequest {
  Library.write(request, credential: nil, tokens: NoTokens())
}

@Suite struct `A contract declared by a table` {
  private let loan = Library.Loan(book: 7, reader: "ada", days: nil, tags: ["a"], pin: "1234")

  @Test func `puts each value of a request in its place and finds it there again`() throws {
    let sent = wire(.lend(loan))
    #expect(sent.method == "PUT" && sent.target == "/books/7/loan")
    #expect(String(decoding: sent.body, as: UTF8.self) == #"{"reader":"ada","tags":["a"]}"#)
    #expect(sent.header("X-Pin") == "1234")
    #expect(Library.read(sent).request == .lend(loan))
    let query = wire(.shelf("a&b c"))
    #expect(query.target == "/shelves?name=a%26b%20c")
    #expect(Library.read(query).request == .shelf("a&b c"))
  }

  @Test func `counts its operations in the order of the table, unknown routes and commands last`() {
    #expect(
      Library.operations.map(\.name)
        == ["lend", "shelf", "close", "strays", "unrouted", "control", "census"])
    #expect(Library.operation(of: .shelf("x")) == Library.table.index(of: Library.shelf))
    #expect(Library.operation(of: .burn(1)) == 5)
    #expect(Library.operation(of: .unread(.unrouted(.init("GET", "/")))) == 4)
    #expect(Library.operation(of: .unread(.malformed(operation: 1, .noDocument))) == 1)
  }

  @Test(
    arguments: [
      .tooLarge, .noDocument, .missing("reader"), .invalid("reader"), .invalid("days"),
      .invalid("id"), .invalid("tags"), .invalid("tags[0]"), .invalid("tags[2]"),
      .missing("X-Pin"),
    ] as [Unread.Fault])
  func `can send a request with each fault that it can find`(fault: Unread.Fault) {
    let request = Library.Request.unread(.malformed(operation: 0, fault))
    #expect(Library.read(wire(request)).request == request)
  }

  @Test func `a value given twice is no value where one is meant`() {
    let request = Library.Request.unread(.malformed(operation: 1, .repeated("name")))
    #expect(Library.read(wire(request)).request == request)
  }

  @Test func `a target by the letter has no blank for a plus and no broken escape`() {
    #expect(Library.read(WireRequest("GET", "/shelves?name=a+b")).request == .shelf("a+b"))
    let broken = Library.Request.unread(.malformed(operation: 1, .noQuery))
    #expect(Library.read(wire(broken)).request == broken)
    for target in ["/shelves%", "/shelves%2", "/%FF", "shelves"] {
      #expect(
        Library.read(WireRequest("GET", target)).request
          == .unread(.unrouted(.init("GET", target))))
    }
  }

  @Test func `of two operations of one path the request decides, and one reads for both`() {
    #expect(Library.operation(of: Library.read(WireRequest("GET", "/shelves?name=")).request) == 3)
    #expect(Library.operation(of: Library.read(WireRequest("GET", "/shelves?name=x")).request) == 1)
    let bare = Library.read(WireRequest("GET", "/shelves")).request
    #expect(bare == .unread(.malformed(operation: 1, .missing("name"))))
    guard case .unread(.malformed(_, let fault)) = bare else { return }
    #expect("\(fault)" == "'name' has to be told")
    let strays = Library.Reply.shelf(Library.Shelf(name: "", books: [4]))
    let sent = Library.write(.success(strays), to: .shelf(""), tokens: NoTokens())
    #expect(sent.body?.description == #"{"strays":[4]}"#)
    let other = WireResponse(206, body: sent.body)
    #expect(Library.read(other, to: .shelf("")) == .success(strays))
    #expect(Library.read(other, to: .shelf("x")) == nil)
    let get = Library.openAPI?["paths"]?["/shelves"]?["get"]
    #expect(get?["summary"] == "A shelf; Books without a shelf")
    let content = get?["responses"]?["200"]?["content"]?["application/json"]
    #expect(content?["schema"]?["anyOf"]?.array?.count == 2)
  }

  @Test func `a command is answered with its own form, or is done`() throws {
    #expect(try Library.control("count", [:]) == .count)
    let shelf = Library.Reply.shelf(Library.Shelf(name: "x", books: []))
    let sent = Library.write(.success(shelf), to: .count, tokens: NoTokens())
    #expect(Library.read(sent, to: .count) == .success(shelf))
    #expect(Library.read(WireResponse(200, body: [:]), to: .count) == nil)
    #expect(Library.read(WireResponse(200, body: [:]), to: .burn(1)) == .success(.done))
  }

  @Test func `faults are found in the order of the fields`() {
    let wire = WireRequest("PUT", "/books/x/loan", body: Array("{}".utf8))
    #expect(
      Library.read(wire).request == .unread(.malformed(operation: 0, .invalid("id"))))
    let bare = WireRequest("PUT", "/books/1/loan", body: Array("{}".utf8))
    #expect(
      Library.read(bare).request == .unread(.malformed(operation: 0, .missing("reader"))))
  }

  @Test func `a path that is another method's names the methods that it has`() {
    let wire = WireRequest("PATCH", "/books/1/loan")
    #expect(
      Library.read(wire).request
        == .unread(.unrouted(.init("PATCH", "/books/1/loan", allowed: ["PUT", "DELETE"]))))
    #expect(
      Library.read(WireRequest("GET", "/books//loan")).request
        == .unread(.unrouted(.init("GET", "/books//loan"))))
  }

  @Test func `an answer that contradicts itself cannot be read`() throws {
    let request = Library.Request.shelf("x")
    let shelf = Library.Shelf(name: "x", books: [1, 2])
    let sent = Library.write(.success(.shelf(shelf)), to: request, tokens: NoTokens())
    #expect(sent.body?.description == #"{"name":"x","label":"x","books":[1,2],"count":2}"#)
    #expect(Library.read(sent, to: request) == .success(.shelf(shelf)))
    for (name, value) in [("label", "y"), ("count", 3)] as [(String, JSON)] {
      var body = try #require(sent.body?.object)
      body[name] = value
      #expect(Library.read(WireResponse(200, body: .object(body)), to: request) == nil)
    }
    #expect(Library.read(WireResponse(201, body: sent.body), to: request) == nil)
  }

  @Test func `a refusal is one under its own status alone, with what the headers say`() throws {
    let late = Library.Refusal(.late, retryAfterSeconds: 3)
    let sent = Library.write(.failure(late), to: .lend(loan), tokens: NoTokens())
    #expect(sent.status == 409 && sent.header("retry-after") == "3")
    #expect(Library.read(sent, to: .lend(loan)) == .failure(late))
    let wrong = WireResponse(410, headers: sent.headers, body: sent.body)
    #expect(Library.read(wrong, to: .lend(loan)) == nil)
  }

  @Test func `secrets are shortened where people read along, and change no digest`() {
    let shown = Library.show(.lend(loan))
    #expect(shown["X-Pin"] == "…" && shown["id"] == "7" && shown["reader"] == "ada")
    var (one, other) = (Digest(), Digest())
    Coding<String>.text.secret().mix("a", &one)
    Coding<String>.text.secret().mix("b", &other)
    #expect(one == other)
    #expect(
      Coding<String>.text.secret(showing: 2).write("abcd", .redacted) == "ab…")
  }

  @Test func `what a reply says changes its digest`() {
    let shelves = [
      Library.Shelf(name: "x", books: [1]), Library.Shelf(name: "x", books: [2]),
      Library.Shelf(name: "y", books: [1]),
    ]
    let digests = shelves.map { shelf in
      var digest = Digest()
      Library.fingerprint(of: .shelf(shelf), into: &digest)
      return digest
    }
    #expect(Set(digests).count == 3)
  }

  @Test func `a command says which parameter is wrong and what would be right`() throws {
    #expect(try Library.control("burn", ["book": 3]) == .burn(3))
    #expect(wire(.burn(3)).target == "/_rehearsal/library/burn")
    #expect(Library.controls.first?.parameters.first?.type == "whole number")
    for (name, parameters, message) in [
      ("burn", ["book": 10], "burn: 'book' is not in 1...9"),
      ("burn", [:], "burn: 'book' is missing"),
      ("burn", [3], "burn: an object of parameters is expected"),
      ("burn", ["bok": 1], "burn: 'bok' is no parameter; did you mean 'book'?"),
      ("burns", [:], "library has no command 'burns'; did you mean 'burn'?"),
    ] as [(String, JSON, String)] {
      #expect(throws: ControlProblem(message)) { try Library.control(name, parameters) }
    }
  }

  @Test
  func `a command takes parameters one by one, under other names, and documents in documents`()
    throws
  {
    let placed = Library.Request.place("A", [Library.Lot(book: 1, days: 2...3)])
    let lots: JSON = [["book": 1, "from": 2, "to": 3]]
    #expect(try Library.control("place", ["shelf": "A", "lots": lots]) == placed)
    #expect(try Library.control("place", ["shelf": nil, "board": "A", "lots": lots]) == placed)
    #expect(try Library.control("place", ["rack": "B"]) == .place("B", []))
    #expect(JSON(parsing: wire(placed).body) == ["shelf": "A", "lots": lots])
    let declared = try #require(Library.controls.first { $0.name == "place" }).parameters
    #expect(declared.map(\.type) == ["text", "list of {book, from, to}"])
    #expect(declared.map(\.meaning) == ["Where; rack and board do as well.", "Which."])
    for (lot, message) in [
      (["bok": 1], "'lots[0].bok' is no parameter; did you mean 'book'?"),
      (["pages": 1], "'lots[0].pages' is no parameter; known are book, from, to"),
      (["book": 1, "from": 3, "to": 2], "'lots[0]' ends before it begins"),
      (["book": 1, "from": 3], "'lots[0].to' is missing"),
    ] as [(JSON, String)] {
      #expect(throws: ControlProblem("place: \(message)")) {
        try Library.control("place", ["shelf": "A", "lots": [lot]])
      }
    }
    #expect(throws: ControlProblem("library has no command 'x'; there are burn, count, place")) {
      try Library.control("x", [:])
    }
  }

  @Test func `its interface is described with schemas, statuses, codes and ways to prove oneself`()
    throws
  {
    let document = try #require(Library.openAPI)
    let lend = try #require(document["paths"]?["/books/{id}/loan"]?["put"])
    #expect(lend["operationId"] == "lend")
    let places = lend["parameters"]?.array?.compactMap { $0["in"]?.string }
    #expect(places == ["path", "header"])
    let body = lend["requestBody"]?["content"]?["application/json"]
    #expect(body?["schema"]?["required"] == ["reader"])
    #expect(body?["schema"]?["properties"]?["reader"]?["maxLength"] == 8)
    #expect(body?["example"]?["reader"] == "text")
    #expect(lend["security"] == [["bearer": []]])
    let responses = try #require(lend["responses"]?.object)
    #expect(responses.members.map(\.name) == ["200", "410", "409", "400"])
    #expect(responses["409"]?["description"] == "Refused: late")
    #expect(document["paths"]?["/shelves"]?["get"]?["security"] == [])
  }
}

@Suite struct `A malformed document` {
  private let orders = Coding.list(
    Shape({ $0 }, Field("price", \.self, Coding<Int>.int(0...9))).coding)

  @Test(
    arguments: [
      (#"[{"price":1},{"price":true}]"#, "'[1].price' is not a whole number"),
      (#"[{"price":1},{"price":10}]"#, "'[1].price' is not in 0...9"),
      (#"[{}]"#, "'[0].price' is missing"), (#"[{"price":null}]"#, "'[0].price' is missing"),
      (#"{}"#, "the document is not a list"), (#"[3]"#, "'[0]' is not an object"),
    ])
  func `is told by path, what is wrong and what would be right`(text: String, message: String)
    throws
  {
    let document = try #require(JSON(parsing: text))
    #expect { try orders.read(document) } throws: { "\($0)" == message }
  }
}
