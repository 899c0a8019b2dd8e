/// How twins are served.
package struct ServingOptions: Sendable {
  /// An address of this machine alone: a twin hands out tokens to whoever asks.
  package var host = "127.0.0.1"
  /// Whether the commands below `/_rehearsal` are there.
  package var control = false
  /// The most bytes of a request's body.
  package var mostBodyBytes = 1 << 20
  /// The most connections to one port; further ones wait until one is closed.
  package var mostConnections = 1_024
  /// How long a connection may lie idle, and how long a client may take for the head of a request and for its body.
  package var readTimeout: Duration = .seconds(30)

  package init() {}

  /// Whether an address can be reached from this machine alone.
  package static func isLoopback(_ host: String) -> Bool {
    if host == "localhost" || host == "::1" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }
}

/// Why serving could not begin, and what to do.
package struct ServingProblem: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String
  package init(_ description: String) { self.description = description }
}
