import AsiaTravelPlanDomain
import Backends
import Contracts
import KantineKoningDomain
import KilwinningDomain
import MimiSupplyDomain
import Simulation
import Timekeeping
import Tokens
import ToyDomain

/// Every backend that Rehearsal knows. A new one is a folder in `Sources/Domains` and a line here.
public enum Domains {
  public static let entries = [
    AnyDomain(KantineKoningBackend()),
    AnyDomain(KilwinningBackend()),
    AnyDomain(MimiSupplyBackend()),
    AnyDomain(AsiaTravelPlanBackend()),
    AnyDomain(ToyBackend()),
  ]

  public static var all: [any Backend] { entries.map(\.backend) }

  /// A domain made ready for the virtual timeline.
  public static func entry(of domain: String) -> AnyDomain? {
    entries.first { $0.backend.domain == domain }
  }

  public static var declarations: [WorldDeclaration] { all.map(\.declaration) }

  /// The backend of a domain by its name.
  public static func named(_ domain: String) -> (any Backend)? {
    all.first { $0.domain == domain }
  }

  /// What the declarations of some domains contradict, a sentence each; empty when all are sound. To look takes longer than to start.
  public static func flaws(of domains: [String] = all.map(\.domain)) -> [String] {
    let ports = all.map(\.port).filter { $0 != 0 }
    return all.filter { domains.contains($0.domain) }
      .flatMap { backend in backend.flaws.map { "\(backend.domain): \($0)" } }
      + repeated(all.map(\.domain)).map { "two domains are called '\($0)'" }
      + repeated(ports).map { "two domains are served at port \($0)" }
  }

  public static var names: String { all.map(\.domain).joined(separator: ", ") }

  /// Signs the tokens of simulated backends. Twins hold no secrets worth keeping, so the key is part of the program
  /// and a run repeats to the byte.
  public static let tokens = TokenSignatures(secret: "rehearsal signs for simulated backends only")

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

  /// The epoch: where a clock that only its user moves begins.
  public static let epoch = Instant("2026-03-21T05:00:00Z")!
}
