import Contracts

extension MimiSupply {
  /// What each item became, at its place; tokens, markers and addresses stay out, change tags are the twin's own and
  /// belong to it.
  public static func fingerprint(of reply: Reply, into digest: inout Digest) {
    switch reply.content {
    case .found(let records, let marker):
      digest.mix(1)
      digest.mix(records.count)
      for record in records { mix(record, into: &digest) }
      digest.mix(marker != nil)
    case .items(let items): mix(items, as: 2, into: &digest)
    case .feed(let items, _, let more):
      mix(items, as: 3, into: &digest)
      digest.mix(more)
    case .zones(let zones), .zoneChanges(let zones, _):
      digest.mix(4)
      digest.mix(zones.count)
      for zone in zones { mix(zone, into: &digest) }
    case .subscriptions(let results):
      digest.mix(5)
      digest.mix(results.count)
      for result in results { mix(result, into: &digest) }
    case .tokenCreated(let token):
      digest.mix(6)
      digest.mix(token.apnsEnvironment)
    case .uploads(let targets):
      digest.mix(7)
      for target in targets { digest.mix(target.fieldName) }
    case .uploaded(let asset):
      digest.mix(8)
      digest.mix(asset.size)
      digest.mix(asset.fileChecksum)
    case .downloaded(let bytes):
      digest.mix(9)
      digest.mix(bytes.count)
    case .user(let user):
      digest.mix(10)
      digest.mix(user.userRecordName)
    case .signedIn(let answer):
      digest.mix(11)
      digest.mix(answer.userRecordName)
      digest.mix(answer.isNewUser)
    case .roleSelected(let profile):
      digest.mix(12)
      mix(profile, into: &digest)
    case .refreshed(_, let expires):
      digest.mix(13)
      digest.mix(Int(expires.unixMilliseconds))
    case .exported(let data):
      digest.mix(14)
      digest.mix(data)
    case .stats(let stats):
      digest.mix(15)
      digest.mix(stats.totalOrders)
      digest.mix(Int(stats.totalRevenueCents))
    case .notifications(let notifications):
      digest.mix(16)
      digest.mix(notifications.count)
      for notification in notifications {
        digest.mix(notification.recordName)
        digest.mix(notification.fired.rawValue)
      }
    case .shown(let document):
      digest.mix(17)
      digest.mix(document)
    case .done: digest.mix(18)
    }
  }

  private static func mix(_ items: [ItemResult], as kind: Int, into digest: inout Digest) {
    digest.mix(kind)
    digest.mix(items.count)
    for item in items {
      switch item {
      case .saved(let record):
        digest.mix(1)
        mix(record, into: &digest)
      case .deleted(let name):
        digest.mix(2)
        digest.mix(name)
      case .failed(let item):
        digest.mix(3)
        digest.mix(item.recordName ?? "")
        mix(item.failure, into: &digest)
      }
    }
  }

  private static func mix(_ record: CloudRecord, into digest: inout Digest) {
    digest.mix(record.name)
    digest.mix(record.changeTag)
  }

  private static func mix(_ failure: Failure, into digest: inout Digest) {
    digest.mix(failure.code.rawValue)
    digest.mix(failure.mimiReason ?? "")
  }

  private static func mix(_ result: ZoneResult, into digest: inout Digest) {
    switch result {
    case .zone(let zone, _, _), .deleted(let zone): digest.mix(zone.zoneName)
    case .failed(let zone, let failure):
      digest.mix(zone.zoneName)
      mix(failure, into: &digest)
    }
  }

  private static func mix(_ result: SubscriptionResult, into digest: inout Digest) {
    switch result {
    case .stored(let subscription): digest.mix(subscription.id ?? "")
    case .deleted(let id): digest.mix(id)
    case .failed(let id, let failure):
      digest.mix(id ?? "")
      mix(failure, into: &digest)
    }
  }
}
