import Contracts

extension AsiaTravelPlan {
  public static func show(
    _ signal: Signal, to address: Address, tokens: any TokenCodec
  ) -> JSON { show(signal) }

  public static func show(_ note: Note) -> JSON {
    switch note {
    case .callback(let stateMatches): ["callback": ["stateMatches": .bool(stateMatches)]]
    case .secureStore(let holdsSession): ["secureStore": ["holdsSession": .bool(holdsSession)]]
    case .gateClosed: "gateClosed"
    case .screen(let screen): ["screen": .string(screen.rawValue)]
    }
  }
}
