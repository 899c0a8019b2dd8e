import MimiSupplyContract

extension PushNotification {
  /// What an order's push says its status is; empty for any other record.
  var label: String { if case .order(_, let status, _, _, _) = content { status } else { "" } }
}

extension Filter {
  /// The names of which a field has to have one; `nil` for any other condition.
  var equals: [RecordName]? {
    switch (comparator, value) {
    case ("EQUALS", .identifier(let name)?): [name]
    case ("EQUALS", .string(let text)?): [RecordName(text)]
    case ("IN", .strings(let texts)?): texts.map(RecordName.init)
    default: nil
    }
  }
}
