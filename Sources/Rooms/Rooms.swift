import Backends
import Contracts
import KantineKoningRoom
import KilwinningRoom
import MimiSupplyRoom
import Simulation
import Timekeeping
import Tokens
import ToyRoom

/// Every backend that Rehearsal knows. A new one is a folder in `Sources/Domains` and a line here.
public enum Rooms {
  public static let stages = [
    Stage(KantineKoningBackend()),
    Stage(KilwinningBackend()),
    Stage(MimiSupplyBackend()),
    Stage(ToyBackend()),
  ]

  public static var all: [any Backend] { stages.map(\.room) }

  /// A domain made ready for the virtual timeline.
  public static func stage(of domain: String) -> Stage? {
    stages.first { $0.room.declaration.domain == domain }
  }

  public static var declarations: [WorldDeclaration] { all.map(\.declaration) }

  /// The room of a domain by its name.
  public static func named(_ domain: String) -> (any Backend)? {
    all.first { $0.declaration.domain == domain }
  }

  public static var names: String { all.map(\.declaration.domain).joined(separator: ", ") }

  /// Signs the tokens of simulated backends. Twins hold no secrets worth keeping, so the key is part of the program
  /// and a run repeats to the byte.
  public static let tokens = HS256(secret: "rehearsal signs for simulated backends only")

  /// With what a twin begins that somebody drives by hand, through `replay` or a server: the same requests at the same
  /// instants get the same answers from both.
  ///
  /// - Parameter seed: Of the identifiers that the twin generates.
  public static func setup(rulesOff: Set<LimitID> = [], seed: UInt64 = 1) -> TwinSetup {
    TwinSetup(
      identifiers: RandomStream(seed: seed, owner: stableHash("replay"), purpose: 0),
      rulesOff: rulesOff,
      tokens: tokens)
  }

  /// Where a clock that only its user moves begins.
  public static let dawn = Instant("2026-03-21T05:00:00Z")!
}
