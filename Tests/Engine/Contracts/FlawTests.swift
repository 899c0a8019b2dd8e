import Contracts
import Testing
import Timekeeping

/// A contract of the tests' own, with what somebody gets wrong who writes their first.
private enum Muddle: DeclaredContract {
  static let domain = "muddle"

  enum Rule: String, Contracts.Rule {
    case mu01, mu02, mu3

    static let themes = [
      Theme<Self>("House", [.mu01: "One.", .mu3: "Three."]), Theme("Garden", [.mu01: "Once more."]),
    ]
  }

  enum Request: DeclaredRequest {
    case open(Int)
    case shut(Int)
    case list(Bool?)
    case floor(Int)
    case unread(Unread)

    var open: Int? { if case .open(let it) = self { it } else { nil } }
    var shut: Int? { if case .shut(let it) = self { it } else { nil } }
    var list: Bool?? { if case .list(let it) = self { .some(it) } else { nil } }
    var floor: Int? { if case .floor(let it) = self { it } else { nil } }
    var unread: Unread? { if case .unread(let it) = self { it } else { nil } }
  }

  enum Reply: Hashable, Sendable { case done }
  enum RefusalKind: String, Contracts.RefusalKind {
    case unreadable
    var status: Int { 400 }
  }
  typealias Refusal = CodedRefusal<RefusalKind>
  typealias Signal = Never
  typealias Address = Never
  typealias Note = Never
  typealias Credential = Authorization

  static let done: Reply? = .done
  static let answer = ReplyForm<Self>.json(
    Shape<Int>({ $0 }, Field("n", \.self, .int)), { _ in .done }, { _ in 1 })
  static let table = ContractTable<Self>(
    [
      Endpoint(
        "open", "Open a door", source: "1", "PUT", "/doors/{dor}", body: .none,
        asks: Shape<Int>(
          { door, _ in door }, Field("door", \.self, .int(1...9), in: .path),
          Field("x", \.self, .int)),
        Request.open, \.open, answers: [answer]),
      Endpoint(
        "open", "Shut a door", source: "1", "PUT", "/doors/{door}",
        asks: Shape<Int>({ $0 }, Field("door", \.self, .int(1...9), in: .path)), Request.shut,
        \.shut, answers: []),
      Endpoint(
        "list", "All doors", source: "2", "GET", "/doors",
        asks: Shape<Bool?>({ $0 }, Field("open", \.self, .omittable(.flag), in: .query)),
        Request.list, \.list, answers: [answer]),
      Endpoint(
        "floor", "A floor", source: "3", "GET", "/floors/{floor}",
        asks: Shape<Int>({ $0 }, Field("floor", \.self, .int(1...9), in: .path)), Request.floor,
        \.floor, answers: [answer]),
    ], unrouted: "0", refusalForms: [[]])

  static func credential(of wire: WireRequest) -> Credential? { nil }
  static func present(_: Credential, in wire: inout WireRequest, tokens: any TokenCodec) {}
  static func show(_ note: Never) -> JSON {}
}

@Suite struct `A contract that contradicts itself` {
  @Test func `is told each contradiction in a sentence`() {
    #expect(
      Muddle.flaws == [
        "two operations are called 'open'",
        "two operations are asked for by 'PUT /doors/{}'",
        "operation 'open' reads 'door' from its path, and /doors/{dor} has no variable of that name",
        "operation 'open' reads 'x' from a body, and is asked without one: say body: .json",
        "operation 'open' declares no answer",
        "the table has no refusal form for some service: nothing can be refused there",
      ])
    #expect(
      Muddle.Rule.flaws == [
        "MU-01 is stated twice", "MU-02 is stated nowhere",
      ])
  }

  @Test func `ends the program with a sentence where it is noticed too late`() async {
    let end = await #expect(processExitsWith: .exitCode(70), observing: [\.standardErrorContent]) {
      programFault("a door without a house")
    }
    let words = String(decoding: end?.standardErrorContent ?? [], as: UTF8.self)
    #expect(words.contains("a mistake in the program: a door without a house\n"))
  }
}

/// Outside a document every value is a text; a coding says what it stands for there as well.
@Suite struct `A number or a flag in a path or a query` {
  @Test(arguments: [("true", true), ("false", false)] as [(String, Bool)])
  func `is read from its text`(text: String, flag: Bool) {
    #expect(Muddle.read(WireRequest("GET", "/doors?open=\(text)")).request == .list(flag))
    #expect(Muddle.read(WireRequest("GET", "/floors/7")).request == .floor(7))
  }

  @Test func `is refused where its text says something else`() {
    for text in ["yes", "1", "", "null", "%22true%22"] {
      #expect(
        Muddle.read(WireRequest("GET", "/doors?open=\(text)")).request
          == .unread(.malformed(operation: 2, .invalid("open"))), "\(text)")
    }
    #expect(
      Muddle.read(WireRequest("GET", "/doors")).request == .list(nil))
  }
}
