
/// An HTTP request as a contract's wire mapping sees it.
package struct WireRequest: Hashable, Sendable {
  package var method: String
  /// Path and query as sent, percent-encoded.
  package var target: String
  package var headers: [WireHeader]
  package var body: [UInt8]

  package init(_ method: String, _ target: String, headers: [WireHeader] = [], body: [UInt8] = []) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
  }

  /// The first header of a name, whatever its case.
  package func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}

package struct WireHeader: Hashable, Sendable {
  package let name: String
  package let value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

package struct WireResponse: Hashable, Sendable {
  package var status: Int
  package var headers: [WireHeader]
  package var body: JSON?

  package init(_ status: Int, headers: [WireHeader] = [], body: JSON? = nil) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

/// A contract that can be spoken over HTTP.
package protocol WireContract: Contract {
  /// Control commands by their names in scenarios, in `replay` and below `/_rehearsal/<domain>/`.
  static var controls: [ControlDeclaration] { get }

  /// What a client sent, typed. Everything a backend must answer is a request, malformed ones included.
  static func read(_ wire: WireRequest) -> (request: Request, credential: Credential?)

  /// A typed request as a client sends it.
  static func write(_ request: Request, credential: Credential?, tokens: any TokenCodec) -> WireRequest

  /// The answer to a request as a server sends it.
  static func write(
    _ result: Result<Reply, Refusal>, to request: Request, tokens: any TokenCodec
  ) -> WireResponse

  /// The answer to a request as a client reads it; `nil` when it cannot be read, so that the outcome is unknown.
  static func read(_ response: WireResponse, to request: Request) -> Result<Reply, Refusal>?

  /// A control command by name with its parameters.
  static func control(_ name: String, _ parameters: JSON) throws(ControlProblem) -> Request

  /// A signal as `replay` and the outbox print it; its tokens are signed now, since a tester will follow them.
  static func show(_ signal: Signal, to address: Address, tokens: any TokenCodec) -> JSON

  /// A signal for `--events`: secrets are redacted.
  static func show(_ signal: Signal) -> JSON

  /// A device's note for `--events`.
  static func show(_ note: Note) -> JSON

  /// A request for `--events`: secrets are redacted.
  static func show(_ request: Request) -> JSON

  /// A reply for `--events`: secrets are redacted.
  static func show(_ reply: Reply) -> JSON
}

/// What is wrong with a control command.
package struct ControlProblem: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String
  package init(_ description: String) { self.description = description }
}

/// One control command of a twin, as `rehearse commands` lists it.
package struct ControlDeclaration: Hashable, Sendable {
  package struct Parameter: Hashable, Sendable {
    package let name: String
    /// What it holds, in words: `slug`, `bool`, `instant or +span`.
    package let type: String
    package let isRequired: Bool
    package let meaning: String

    package init(_ name: String, _ type: String, optional: Bool = false, _ meaning: String) {
      self.name = name
      self.type = type
      isRequired = !optional
      self.meaning = meaning
    }
  }

  package let name: String
  package let meaning: String
  package let parameters: [Parameter]

  package init(_ name: String, _ meaning: String, _ parameters: [Parameter] = []) {
    self.name = name
    self.meaning = meaning
    self.parameters = parameters
  }
}
