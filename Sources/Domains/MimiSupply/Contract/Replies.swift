/// What became of one operation of a batch (§3.1, §3.3), at its place.
package enum ItemResult: Hashable, Sendable {
  case saved(CloudRecord)
  case deleted(recordName: String)
  case failed(ItemFailure)
}

/// A record-level error: the request was answered with 200, this item did not happen.
package struct ItemFailure: Hashable, Sendable {
  /// The three copies of a stale save (§3.3); the server's is missing where the caller may not see the record.
  package struct Conflict: Hashable, Sendable {
    package var server: CloudRecord?
    package var client: RecordDraft
    package var ancestor: CloudRecord?

    package init(server: CloudRecord?, client: RecordDraft, ancestor: CloudRecord?) {
      self.server = server
      self.client = client
      self.ancestor = ancestor
    }
  }

  package var recordName: String?
  package var failure: Failure
  package var conflict: Conflict?

  package init(_ recordName: String?, _ failure: Failure, conflict: Conflict? = nil) {
    self.recordName = recordName
    self.failure = failure
    self.conflict = conflict
  }
}

/// `tokens/create`.
package struct CourierToken: Hashable, Sendable {
  package var apnsEnvironment: String
  package var apnsToken: String
  package var webcourierURL: String

  package init(apnsEnvironment: String, apnsToken: String, webcourierURL: String) {
    self.apnsEnvironment = apnsEnvironment
    self.apnsToken = apnsToken
    self.webcourierURL = webcourierURL
  }
}

/// A push (§3.5).
package struct PushNotification: Hashable, Sendable {
  package enum Content: Hashable, Sendable {
    case order(id: String, status: String, title: String, body: String, badge: Int)
    case position(driver: String)
    case offer(id: String, order: String, driver: String)
  }

  package enum Fired: Int, Hashable, Sendable {
    case created = 1
    case updated, deleted
  }
  package enum Database: Int, Hashable, Sendable {
    case `public` = 1
    case `private`, shared
  }

  package var content: Content
  package var container: String
  /// Unique over all notifications.
  package var id: String
  package var subscription: String
  package var recordName: String
  package var zone: Zone
  package var database: Database
  package var fired: Fired
  /// Additional fields, dropped first when the payload grows too large.
  package var additional: [String: FieldValue]

  package init(
    _ content: Content, container: String = "iCloud.com.mimisupply.app", id: String,
    subscription: String, recordName: String, zone: Zone, database: Database = .private,
    fired: Fired, additional: [String: FieldValue] = [:]
  ) {
    self.content = content
    self.container = container
    self.id = id
    self.subscription = subscription
    self.recordName = recordName
    self.zone = zone
    self.database = database
    self.fired = fired
    self.additional = additional
  }
}
