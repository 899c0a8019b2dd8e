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
    case .started(let version): ["started": .string(version.text)]
    case .plainStore: "plainStore"
    case .roles(let it):
      [
        "roles": [
          "admin": .bool(it.isAdmin), "manager": .bool(it.isManager),
          "accountant": .bool(it.isAccountant), "staff": .bool(it.isStaff),
          "allowed": .bool(it.isAllowed),
        ]
      ]
    case .controls(let booking, let controls):
      ["controls": ["booking": .string(booking), "shown": .strings(controls.map(\.rawValue))]]
    case .browser(let isSystems): ["browser": ["isSystems": .bool(isSystems)]]
    case .callback(let stateMatches): ["callback": ["stateMatches": .bool(stateMatches)]]
    case .secureStore(let holdsSession): ["secureStore": ["holdsSession": .bool(holdsSession)]]
    case .gateClosed: "gateClosed"
    case .screen(let screen): ["screen": .string(screen.rawValue)]
    }
  }
}
