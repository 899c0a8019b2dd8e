import Contracts

extension MimiSupply {
  public static func show(_ signal: Signal) -> JSON {
    switch signal {
    case .notification(let notification): ["notification": notification.document]
    }
  }

  public static func show(
    _ signal: Signal, to address: Address, tokens: any TokenCodec
  ) -> JSON {
    switch (signal, address) {
    case (.notification(let notification), .device(let token)):
      ["token": .string(token), "notification": notification.document]
    }
  }

  public static func show(_ note: Note) -> JSON {
    switch note {
    case .foreground(let isShown): ["foreground": .bool(isShown)]
    case .offerDecided(let offer, let accepted):
      ["offerDecided": ["offer": .string(offer), "accepted": .bool(accepted)]]
    case .app(let note): note.document
    case .listening: ["listening": [:]]
    case .onDelivery(let begins): ["onDelivery": .bool(begins)]
    }
  }
}
