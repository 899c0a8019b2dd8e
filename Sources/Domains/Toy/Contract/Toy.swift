import Contracts
import Timekeeping

/// A workshop that lends its tools: the smallest backend that has everything a backend has.
public enum Toy: DeclaredContract {
  public static let domain = "toy"

  public enum Request: DeclaredRequest {
    case signIn(SignIn)
    case tools
    case borrow(Borrowing)
    case giveBack(tool: Int)
    case reserve(tool: Int)
    case loans(LoanQuery)
    case addTool(Int)
    case addMember(SignIn)
    case setRule(RuleSwitch<Rule>)
    case configure(Adjustment<Deployment>)
    case unread(Unread)

    var signIn: SignIn? { if case .signIn(let it) = self { it } else { nil } }
    public var borrow: Borrowing? { if case .borrow(let it) = self { it } else { nil } }
    public var giveBack: Int? { if case .giveBack(let it) = self { it } else { nil } }
    public var reserve: Int? { if case .reserve(let it) = self { it } else { nil } }
    var loans: LoanQuery? { if case .loans(let it) = self { it } else { nil } }
    public var unread: Unread? { if case .unread(let it) = self { it } else { nil } }
  }

  public enum Reply: Hashable, Sendable {
    case signedIn(Session)
    case tools([ToolState])
    case lent(Loan)
    case givenBack(tool: Int)
    case reserved(Reservation)
    case loans([Loan])
    case done

    var signedIn: Session? { if case .signedIn(let it) = self { it } else { nil } }
    var tools: [ToolState]? { if case .tools(let it) = self { it } else { nil } }
    public var lent: Loan? { if case .lent(let it) = self { it } else { nil } }
    var givenBack: Int? { if case .givenBack(let it) = self { it } else { nil } }
    var reserved: Reservation? { if case .reserved(let it) = self { it } else { nil } }
    var loans: [Loan]? { if case .loans(let it) = self { it } else { nil } }
  }

  public typealias Credential = Authorization
  public typealias Note = Never
  /// A member's name: signals go to whoever listens under it.
  public typealias Address = String
}
