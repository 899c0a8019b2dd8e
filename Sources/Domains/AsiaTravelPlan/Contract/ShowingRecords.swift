import Contracts

extension AsiaTravelPlan {
  public static func show(
    _ signal: Signal, to address: Address, tokens: any TokenCodec
  ) -> JSON { show(signal) }

  public static func show(_ signal: Signal) -> JSON {
    switch signal {
    case .keySetFetch(let realm, let keys):
      [
        "to": "provider",
        "keySetFetch": ["realm": .string(realm), "kids": .strings(keys.keys.map(\.kid))],
      ]
    }
  }

  public static func show(_ note: Note) -> JSON {
    switch note {
    case .callback(let stateMatches): ["callback": ["stateMatches": .bool(stateMatches)]]
    case .secureStore(let holdsSession): ["secureStore": ["holdsSession": .bool(holdsSession)]]
    case .gateClosed: "gateClosed"
    case .screen(let screen): ["screen": .string(screen.rawValue)]
    }
  }
}
