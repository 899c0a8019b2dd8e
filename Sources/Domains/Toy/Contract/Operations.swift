import Contracts
import Timekeeping

extension Toy {
  public static let signIn = Endpoint<Self>(
    "signIn", "Sign in", source: "1", "POST", "/sessions", body: .json, access: .open,
    timeout: patience, asks: SignIn.shape, Request.signIn, \.signIn,
    answers: [.json(Session.shape, Reply.signedIn, \.signedIn)], refuses: [.unknownMember])

  public static let tools = Endpoint<Self>(
    "tools", "All tools", source: "2", "GET", "/tools", timeout: patience, asks: .tools,
    answers: [.json(ToolState.list, Reply.tools, \.tools)],
    refuses: [.unknownToken])

  public static let borrow = Endpoint<Self>(
    "borrow", "Borrow a tool", source: "3", "PUT", "/tools/{tool}/loan", body: .json,
    timeout: patience, asks: Borrowing.shape, Request.borrow, \.borrow,
    answers: [.json(Loan.shape, Reply.lent, \.lent)],
    refuses: [.unknownToken, .unknownTool, .lent, .kept, .tooMany])

  public static let giveBack = Endpoint<Self>(
    "giveBack", "Give a tool back", source: "3", "DELETE", "/tools/{tool}/loan",
    timeout: patience, asks: toolInPath, Request.giveBack(tool:), \.giveBack,
    answers: [
      .json(
        Shape<Int>({ $0 }, Field("tool", \.self, .int)), Reply.givenBack(tool:), \.givenBack)
    ],
    refuses: [.unknownToken, .unknownTool, .notYours])

  public static let reserve = Endpoint<Self>(
    "reserve", "Reserve a tool", source: "4", "PUT", "/tools/{tool}/reservation",
    timeout: patience, asks: toolInPath, Request.reserve(tool:), \.reserve,
    answers: [.json(Reservation.shape, Reply.reserved, \.reserved)],
    refuses: [.unknownToken, .unknownTool, .free, .lent])

  public static let loans = Endpoint<Self>(
    "loans", "A member's loans", source: "5", "GET", "/members/{member}/loans",
    timeout: patience, asks: LoanQuery.shape, Request.loans, \.loans,
    answers: [.json(.list(Loan.shape.coding), Reply.loans, \.loans)],
    refuses: [.unknownToken, .notYours])

  private static let toolInPath = Shape<Int>({ $0 }, Field("tool", \.self, .decimal, in: .path))
  /// How long an app waits for an answer.
  public static let patience = Span.seconds(10)

  public static let table = ContractTable<Self>(
    [signIn, tools, borrow, giveBack, reserve, loans],
    commands: [
      Command(
        "addTool", "The workshop has one more tool.",
        Shape<Int>({ $0 }, Field("tool", \.self, .int(1...999), "its number")), Request.addTool),
      Command(
        "addMember", "Somebody joins, or gets another PIN.", SignIn.shape, Request.addMember),
      .configure(Request.configure),
      .setRule(Request.setRule),
    ], unrouted: "6", operator: "7", refusalForms: [[.json(refusalShape) { $0.kind.status }]],
    refusals: [.unreadable], bodies: BodyRules(most: 4_096), isEachReplyOfOneOperation: true)

  public static let done: Reply? = .done
  public static let sessionMember = "token"
  public static let sessionOperations = ["signIn"]

  /// A token is a member's name, a tilde and what cannot be guessed.
  public static func isToken(_ text: String) -> Bool { text.contains("~") }

  public static func credential(of wire: WireRequest) -> Credential? {
    wire.header("Authorization").map { Authorization($0) }
  }

  public static func present(
    _ credential: Credential, in wire: inout WireRequest, tokens: any TokenCodec
  ) { wire.headers.append(WireHeader("Authorization", credential.header)) }
}
