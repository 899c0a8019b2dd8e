import Contracts
import Timekeeping

/// Who somebody says they are; the operator's command brings a member with the same two members.
public struct SignIn: Hashable, Sendable {
  public var member: String
  public var pin: String

  public init(member: String, pin: String) { (self.member, self.pin) = (member, pin) }

  static let shape = Shape(
    SignIn.init, Field("member", \.member, .name, "whose name it is"),
    Field("pin", \.pin, .text(4...8).secret(), "what proves it"))
}

public struct Session: Hashable, Sendable {
  public var member: String
  public var token: String

  public init(member: String, token: String) { (self.member, self.token) = (member, token) }

  static let shape = Shape(
    Session.init, Field("member", \.member, .name), Field("token", \.token, .text.secret()))
}

/// A tool as the list shows it.
public struct ToolState: Hashable, Sendable {
  public var tool: Int
  /// Neither lent nor kept for somebody.
  public var isFree: Bool

  public init(tool: Int, isFree: Bool) { (self.tool, self.isFree) = (tool, isFree) }

  static let shape = Shape(
    ToolState.init, Field("tool", \.tool, .int), Field("free", \.isFree, .flag))

  static let list = Coding<[ToolState]>.list(shape.coding).mixed { tools, digest in
    digest.mix(tools.count)
    for tool in tools {
      digest.mix(tool.tool)
      digest.mix(tool.isFree)
    }
  }
}

public struct Borrowing: Hashable, Sendable {
  public var tool: Int
  public var hours: Int
  /// Chosen by the app; a repeat carries it again (TY-09).
  public var key: String

  public init(tool: Int, hours: Int, key: String) {
    (self.tool, self.hours, self.key) = (tool, hours, key)
  }

  static let shape = Shape(
    Borrowing.init, Field("tool", \.tool, .decimal, in: .path),
    Field("hours", \.hours, .int(1...8)), Field("key", \.key, .text(1...40)))
}

public struct Loan: Hashable, Sendable {
  public var tool: Int
  public var member: String
  public var due: Instant

  public init(tool: Int, member: String, due: Instant) {
    (self.tool, self.member, self.due) = (tool, member, due)
  }

  static let shape = Shape(
    Loan.init, Field("tool", \.tool, .int), Field("member", \.member, .name),
    Field("due", \.due, .instant))
}

public struct Reservation: Hashable, Sendable {
  public var tool: Int
  /// 1 for who is told first (TY-07).
  public var place: Int

  public init(tool: Int, place: Int) { (self.tool, self.place) = (tool, place) }

  static let shape = Shape(
    Reservation.init, Field("tool", \.tool, .int), Field("place", \.place, .int))
}

public struct LoanQuery: Hashable, Sendable {
  public var member: String
  /// Those alone that are due by then.
  public var dueBy: Instant?

  public init(member: String, dueBy: Instant? = nil) { (self.member, self.dueBy) = (member, dueBy) }

  static let shape = Shape(
    LoanQuery.init, Field("member", \.member, .name, in: .path),
    Field("dueBy", \.dueBy, .omittable(.instant), in: .query).single)
}

extension Coding where Value == String {
  /// A member's name.
  static let name = Coding.text.checked(["type": "string", "pattern": "^[a-z0-9-]{1,40}$"]) {
    let isFine = (1...40).contains($0.utf8.count) && $0.utf8.allSatisfy(isOfNames)
    return isFine ? nil : .invalid("is not made of 1 to 40 of a-z, 0-9 and -")
  }

  private static func isOfNames(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: byte == UInt8(ascii: "-")
    }
  }
}
