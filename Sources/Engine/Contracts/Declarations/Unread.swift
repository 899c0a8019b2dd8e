/// A request that no operation can take as it is: what the backend answers to it is its own business, and a case of its typed requests.
public enum Unread: Hashable, Sendable {
  /// A request of a known operation, by its index in the contract, that cannot be read.
  case malformed(operation: Int, Fault)
  case unrouted(Unrouted)

  public enum Fault: Hashable, Sendable {
    /// The body has more bytes than the backend takes.
    case tooLarge
    /// The body is no document.
    case noDocument
    /// A member that has to be there, by its path.
    case missing(String)
    case invalid(String)
    /// Given more than once where one value is meant.
    case repeated(String)

    init(_ problem: Malformed) {
      self =
        switch problem.kind {
        case .missing: .missing(problem.path)
        case .invalid: .invalid(problem.path)
        case .repeated: .repeated(problem.path)
        }
    }
  }

  /// A request that no operation takes.
  public struct Unrouted: Hashable, Sendable {
    public var method: String
    public var target: String
    public var service: Int
    /// The methods that operations take at this target, in the order of the contract: none for a path that is none.
    public var allowed: [String]

    public init(_ method: String, _ target: String, service: Int = 0, allowed: [String] = []) {
      self.method = method
      self.target = target
      self.service = service
      self.allowed = allowed
    }
  }
}

/// The typed requests of a contract that is declared by tables.
public protocol DeclaredRequest: Hashable, Sendable {
  static func unread(_ request: Unread) -> Self
  var unread: Unread? { get }
}
