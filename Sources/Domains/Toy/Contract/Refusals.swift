import Contracts

extension Toy {
  public typealias Refusal = CodedRefusal<RefusalKind>

  /// Why the workshop refuses.
  public enum RefusalKind: String, Contracts.RefusalKind {
    case unreadable, unknownMember, unknownToken, notYours, unknownTool, unknownPath, wrongMethod
    case lent, kept, tooMany, free

    public var status: Int {
      switch self {
      case .unreadable: 400
      case .unknownMember, .unknownToken: 401
      case .notYours: 403
      case .unknownTool, .unknownPath: 404
      case .wrongMethod: 405
      case .lent, .kept, .tooMany, .free: 409
      }
    }
  }

  static let refusalShape = Shape(
    { Refusal($0, allowed: $1 ?? []) }, Field("code", \.kind, .word), .allow())
}
