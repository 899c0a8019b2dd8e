/// A request that no operation can take as it is: what the backend answers to it is its own business, and a case of its typed requests.
public enum Unread: Hashable, Sendable {
  /// A request of a known operation, by its index in the contract, that cannot be read.
  case malformed(operation: Int, Fault)
  case unrouted(Unrouted)

  /// What is wrong with a request; two faults are equal when they are of one kind and about one member, whatever their words.
  public struct Fault: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Kind: Hashable, Sendable {
      /// The body has more bytes than the backend takes.
      case tooLarge
      /// The body is no document.
      case noDocument
      /// The query is not percent-encoded UTF-8.
      case noQuery
      /// About one member.
      case member(Malformed.Kind)
    }

    public let kind: Kind
    /// The member by its path; empty for what is about none.
    public let path: String
    /// Completes a sentence that begins with the member, or is one, where the fault is about none.
    public let what: String

    init(_ kind: Kind, at path: String = "", _ what: String) {
      self.kind = kind
      self.path = path
      self.what = what
    }

    init(_ problem: Malformed) {
      self.init(.member(problem.kind), at: problem.path, problem.what)
    }

    public static let tooLarge = Fault(.tooLarge, "the body is too large")
    public static let noDocument = Fault(.noDocument, "the body is not JSON")
    static let noObject = Fault(.noDocument, "a JSON object is expected")
    public static let noQuery = Fault(.noQuery, "the query is not percent-encoded UTF-8")
    /// A member that has to be there, by its path.
    public static func missing(_ path: String) -> Fault { Fault(.missing(path)) }
    public static func invalid(_ path: String) -> Fault {
      Fault(.member(.invalid), at: path, "is invalid")
    }
    /// Given more than once where one value is meant.
    public static func repeated(_ path: String) -> Fault {
      Fault(.member(.repeated), at: path, "is given more than once")
    }

    public static func == (a: Self, b: Self) -> Bool { a.kind == b.kind && a.path == b.path }

    public func hash(into hasher: inout Hasher) {
      hasher.combine(kind)
      hasher.combine(path)
    }

    public var description: String { path.isEmpty ? what : "'\(printable(path))' \(what)" }
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
