import Backends
import Contracts

extension SteppedTwin {
  /// Commands that every session understands beside those of its domain.
  public static var commonControls: [ControlDeclaration] {
    [
      ControlDeclaration(
        "advance", "Moves the clock; everything that is due meanwhile happens.",
        [
          .init("by", "span", optional: true, "how far, e.g. 1h"),
          .init("to", "instant", optional: true, "until when, e.g. 2026-03-21T09:00:00Z"),
        ]),
      ControlDeclaration(
        "reset", "Empties the twin; the clock begins again where it began.",
        [
          .init(
            "startsIn", "span", optional: true,
            "how long a scenario's real clock stands still before it begins, e.g. 30s")
        ]),
      ControlDeclaration("inspect", "Shows the state that the censuses judge."),
    ]
  }

  /// Every command of the domain, as it declares them, and the common ones that it does not.
  public static var controls: [ControlDeclaration] {
    let own = Contract.controls
    return own + commonControls.filter { command in !own.contains { $0.name == command.name } }
  }
}

extension ControlDeclaration {
  public var json: JSON {
    [
      "name": .string(name), "meaning": .string(meaning),
      "parameters": .array(
        parameters.map {
          [
            "name": .string($0.name), "type": .string($0.type), "required": .bool($0.isRequired),
            "meaning": .string($0.meaning),
          ]
        }),
    ]
  }
}
