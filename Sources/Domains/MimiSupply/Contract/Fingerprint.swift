import Contracts

extension MimiSupply {
  /// Each item's result with its place; push tokens stay out, change tags are the twin's own and belong to it.
  public static func fingerprint(of reply: Reply, into digest: inout Digest) {
    switch reply {
    case .modified(let items, _):
      digest.mix(1)
      digest.mix(items.count)
      for item in items { mix(item, into: &digest) }
    case .tokenCreated(let token, _):
      digest.mix(2)
      digest.mix(token.apnsEnvironment)
    case .notifications(let notifications, _):
      digest.mix(3)
      digest.mix(notifications.count)
      for notification in notifications {
        digest.mix(notification.recordName)
        digest.mix(notification.fired.rawValue)
      }
    case .done: digest.mix(4)
    }
  }

  private static func mix(_ item: ItemResult, into digest: inout Digest) {
    switch item {
    case .saved(let record):
      digest.mix(1)
      digest.mix(record.name)
      digest.mix(record.changeTag)
    case .deleted(let name):
      digest.mix(2)
      digest.mix(name)
    case .failed(let item):
      digest.mix(3)
      digest.mix(item.recordName ?? "")
      digest.mix(item.failure.code.rawValue)
      digest.mix(item.failure.mimiReason ?? "")
    }
  }
}
