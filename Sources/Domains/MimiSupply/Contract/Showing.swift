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

  public static func heard(_ document: JSON, by tokens: any TokenCodec) -> Addressed<MimiSupply>? {
    guard let token = document["token"]?.string,
      var notification = document["notification"].flatMap({ PushNotification($0) })
    else { return nil }
    notification.destination = PushDestination(token)
    return Addressed(to: .device(token: token), .notification(notification))
  }

  public static func show(_ note: Note) -> JSON {
    switch note {
    case .foreground(let isShown): ["foreground": .bool(isShown)]
    case .offerDecided(let offer, let accepted):
      ["offerDecided": ["offer": .name(offer), "accepted": .bool(accepted)]]
    case .app(let note): note.document
    case .listening: ["listening": [:]]
    case .onDelivery(let begins): ["onDelivery": .bool(begins)]
    }
  }
}
