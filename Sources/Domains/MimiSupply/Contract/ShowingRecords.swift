import Contracts

extension MimiSupply {
  public static func show(
    _ signal: Signal, to address: Address, tokens: any TokenCodec
  ) -> JSON { show(signal) }

  public static func show(_ note: Note) -> JSON {
    switch note {
    case .foreground(let isShown): ["foreground": .bool(isShown)]
    case .offerDecided(let offer, let accepted):
      ["offerDecided": ["offer": .string(offer), "accepted": .bool(accepted)]]
    }
  }
}
