import Backends
import Contracts
import KantineKoningRoom
import Simulation
import Tokens

/// Every backend that Rehearsal knows. A new one is a folder in `Sources/Domains` and a line here.
enum Rooms {
  static let stages = [
    Stage(KantineKoningBackend())
  ]

  static var all: [any Backend] { stages.map(\.room) }

  static var declarations: [WorldDeclaration] { all.map(\.declaration) }

  /// The room of a domain by its name.
  static func named(_ domain: String) -> (any Backend)? {
    all.first { $0.declaration.domain == domain }
  }

  static func stage(of domain: String) -> Stage? {
    stages.first { $0.room.declaration.domain == domain }
  }

  static var names: String { all.map(\.declaration.domain).joined(separator: ", ") }

  /// Signs the tokens of simulated backends. Twins hold no secrets worth keeping, so the key is part of the program
  /// and a run repeats to the byte.
  static let tokens = HS256(secret: "rehearsal signs for simulated backends only")
}
