/// How twins are served.
public struct ServingOptions: Sendable {
  /// An address of this machine alone: a twin hands out tokens to whoever asks.
  public var host = "127.0.0.1"
  /// Whether the commands below `/_rehearsal` are there.
  public var control = false
  /// The most bytes of a request's body; `nil`: what the contract says.
  public var mostBodyBytes: Int?
  /// The most connections to one port; further ones wait until one is closed.
  public var mostConnections = 1_024
  /// How long a connection may lie idle, and how long a client may take for the head of a request and for its body.
  public var readTimeout: Duration = .seconds(30)

  public init() {}

  /// Whether an address can be reached from this machine alone.
  public static func isLoopback(_ host: String) -> Bool {
    if host == "localhost" || host == "::1" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }
}

/// Why serving could not begin, and what to do.
public struct ServingProblem: Error, Hashable, Sendable, CustomStringConvertible {
  public let description: String
  public init(_ description: String) { self.description = description }
}
