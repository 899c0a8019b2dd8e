/// A control command of a twin, declared once: scenarios, `replay`, the served control plane, `rehearse commands` and events read this.
public struct Command<Contract: ServiceContract>: Sendable {
  public private(set) var declaration: ControlDeclaration
  /// What it is answered with; none is the contract's `done`.
  let answers: [ReplyForm<Contract>]
  let takes: @Sendable (Contract.Request) -> Bool
  /// Throws with the command's name, the parameter, what is wrong and what would be right.
  let read: @Sendable (JSON) throws(ControlProblem) -> Contract.Request
  /// `nil` for another request.
  let write: @Sendable (Contract.Request, Spelling) -> JSONObject?

  public var name: String { declaration.name }

  /// The same, which does nothing unless one of its parameters is given.
  public func needingSome() -> Command {
    var command = self
    command.declaration.needsSome = true
    return command
  }

  /// - Parameter make: The typed request; its parameters are what its cases hold, a case inside a case included.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  public init<Asked: Sendable>(
    _ name: String, _ meaning: String, _ shape: Shape<Asked>,
    _ make: @escaping @Sendable (Asked) -> Contract.Request, answers: [ReplyForm<Contract>] = []
  ) {
    self.init(
      name, meaning, shape, make, { request in held(by: request) { make($0) == request } },
      answers: answers)
  }

  /// With its parameters one by one.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  public init<each Parameter: Sendable>(
    _ name: String, _ meaning: String,
    _ make: @escaping @Sendable (repeat each Parameter) -> Contract.Request,
    _ fields: repeat Field<each Parameter, each Parameter>, answers: [ReplyForm<Contract>] = []
  ) {
    let make: @Sendable ((repeat each Parameter)) -> Contract.Request = { make(repeat each $0) }
    self.init(name, meaning, Shape(repeat each fields), make, answers: answers)
  }

  /// Without parameters.
  public init(
    _ name: String, _ meaning: String, _ request: Contract.Request,
    answers: [ReplyForm<Contract>] = []
  ) {
    self.init(
      name, meaning, .empty, { _ in request }, { $0 == request ? NoMembers() : nil },
      answers: answers)
  }

  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  private init<Asked: Sendable>(
    _ name: String, _ meaning: String, _ shape: Shape<Asked>,
    _ make: @escaping @Sendable (Asked) -> Contract.Request,
    _ get: @escaping @Sendable (Contract.Request) -> Asked?, answers: [ReplyForm<Contract>]
  ) {
    let shape = shape.closed
    declaration = ControlDeclaration(name, meaning, shape.members.map { $0.parameter })
    self.answers = answers
    takes = { get($0) != nil }
    read = { (parameters) throws(ControlProblem) in
      guard let object = parameters.isNull ? JSONObject() : parameters.object else {
        throw ControlProblem("\(name): an object of parameters is expected")
      }
      do throws(Malformed) {
        return make(try shape.readParts(WireParts(body: object)))
      } catch {
        throw ControlProblem(error.path.isEmpty ? "\(name) \(error.what)" : "\(name): \(error)")
      }
    }
    write = { request, spelling in get(request).map { shape.writeParts($0, spelling).body } }
  }
}

/// What a case of an enumeration holds, or a case inside it: `(id, team)` of `.control(.assign(id, team: team))`.
///
/// Looking into a value is slow, which commands can bear: a run has few of them.
@inline(never) @_semantics("optimize.sil.specialize.generic.never")
private func held<Held>(by value: Any, where fits: (Held) -> Bool) -> Held? {
  let mirror = Mirror(reflecting: value)
  // A case that holds one value with a label holds a tuple of one.
  let isCase = mirror.displayStyle == .enum || mirror.displayStyle == .tuple
  guard isCase, mirror.children.count == 1, let inside = mirror.children.first?.value else {
    return nil
  }
  if let held = inside as? Held, fits(held) { return held }
  return held(by: inside, where: fits)
}

extension ShapeMember {
  /// As `rehearse commands` lists it.
  fileprivate var parameter: ControlDeclaration.Parameter {
    let others = aliases.dropLast().joined(separator: ", ")
    let all = (others.isEmpty ? "" : others + " and ") + (aliases.last ?? "")
    let does = aliases.count == 1 ? "does" : "do"
    var parameter = ControlDeclaration.Parameter(
      name, words, optional: !isRequired,
      aliases.isEmpty ? meaning : "\(meaning) \(all) \(does) as well.")
    parameter.aliases = aliases
    return parameter
  }
}
