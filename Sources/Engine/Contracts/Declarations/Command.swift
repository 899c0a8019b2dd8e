/// A control command of a twin, declared once: scenarios, `replay`, the served control plane, `rehearse commands` and events read this.
public struct Command<Agreement: Contract>: Sendable {
  public let name: String
  public let meaning: String
  let members: [ShapeMember]
  let read: @Sendable (JSONObject) throws(Malformed) -> Agreement.Request
  let write: @Sendable (Agreement.Request, Spelling) -> JSONObject?

  public init<Asked: Sendable>(
    _ name: String, _ meaning: String, _ shape: Shape<Asked>,
    _ make: @escaping @Sendable (Asked) -> Agreement.Request,
    _ get: @escaping @Sendable (Agreement.Request) -> Asked?
  ) {
    self.name = name
    self.meaning = meaning
    members = shape.members
    read = { (object) throws(Malformed) in make(try shape.readParts(WireParts(body: object))) }
    write = { request, spelling in get(request).map { shape.writeParts($0, spelling).body } }
  }

  var declaration: ControlDeclaration {
    ControlDeclaration(
      name, meaning,
      members.map {
        .init($0.name, $0.words, optional: !$0.isRequired, $0.meaning)
      })
  }

  /// - Throws: with the command's name, the parameter, what is wrong and what would be right.
  func request(_ parameters: JSON) throws(ControlProblem) -> Agreement.Request {
    // The reader of parameters refuses what is no object and names that nobody declared.
    _ = try ControlParameters(parameters, known: members.map(\.name), at: name)
    do { return try read(parameters.object ?? JSONObject()) } catch {
      throw ControlProblem("\(name): \(error)")
    }
  }
}
