import Contracts

extension PushNotification {
  /// The payload of the push: exactly these top-level names (MS-96).
  public var document: JSON {
    var object = JSONObject()
    switch content {
    case .order(let id, let status, let title, let body, let badge):
      object["aps"] = [
        "alert": ["title": .string(title), "body": .string(body)], "badge": .number(badge),
        "sound": "default",
      ]
      object["orderid"] = .name(id)
      object["status"] = .string(status)
    case .position(let driver):
      object["aps"] = ["content-available": 1]
      object["driverid"] = .name(driver)
    case .offer(let id, let order, let driver):
      object["aps"] = ["content-available": 1]
      object["driverid"] = .name(driver)
      object["orderid"] = .name(order)
      object["offerid"] = .name(id)
    case .customerDeleted(let order):
      object["aps"] = ["content-available": 1]
      object["orderid"] = .name(order)
      object["event"] = "customer_deleted"
    case .record: object["aps"] = ["content-available": 1]
    }
    object["ck"] = origin
    return .object(object)
  }

  private var origin: JSON {
    var query = JSONObject()
    query["sid"] = subscription.map(JSON.string)
    query["rid"] = .name(recordName)
    query["zid"] = .string(zone.zoneName)
    query["zoid"] = zone.ownerRecordName.map { .name($0) }
    query["dbs"] = .number(database.rawValue)
    query["fo"] = .number(fired.rawValue)
    if !additional.isEmpty { query["af"] = .object(additional.document) }
    return ["ce": 2, "cid": .string(container), "nid": .string(id), "qry": .object(query)]
  }

  init?(_ document: JSON) {
    guard let content = Content(document), let origin = document["ck"], origin["ce"] == 2,
      let container = origin["cid"]?.string, let id = origin["nid"]?.string,
      let query = origin["qry"],
      let record: RecordName = query["rid"]?.name(), let zone = query["zid"]?.string,
      let database = query["dbs"]?.int.flatMap(Database.init),
      let fired = query["fo"]?.int.flatMap(Fired.init)
    else { return nil }
    self.init(
      content, container: container, id: id, subscription: query["sid"]?.string, recordName: record,
      zone: Zone(zone, owner: query["zoid"]?.name()), database: database, fired: fired,
      additional: query["af"]?.object.map(Fields.init) ?? Fields())
  }
}

extension Coding where Value == PushNotification {
  static let notification = Coding<JSON>.object.converted(
    to: { (json) throws(Malformed) in
      guard let notification = PushNotification(json) else {
        throw .invalid("is no notification")
      }
      return notification
    }, from: { notification, _ in notification.document })
}

extension PushNotification.Content {
  init?(_ document: JSON) {
    let order: RecordName? = document["orderid"]?.name()
    if let alert = document["aps"]?["alert"] {
      guard let order, let status = document["status"]?.string, let title = alert["title"]?.string,
        let body = alert["body"]?.string, let badge = document["aps"]?["badge"]?.int
      else { return nil }
      self = .order(id: order, status: status, title: title, body: body, badge: badge)
      return
    }
    guard document["aps"]?["content-available"] == 1 else { return nil }
    if document["event"] == "customer_deleted" {
      guard let order else { return nil }
      self = .customerDeleted(order: order)
      return
    }
    guard let driver: RecordName = document["driverid"]?.name() else {
      self = .record
      return
    }
    if let order, let offer: RecordName = document["offerid"]?.name() {
      self = .offer(id: offer, order: order, driver: driver)
    } else {
      self = .position(driver: driver)
    }
  }
}
