import Contracts
import Timekeeping

extension ItemResult {
  var document: JSON {
    switch self {
    case .saved(let record): record.document
    case .deleted(let name): ["recordName": .string(name), "deleted": true]
    case .failed(let item): .object(item.document)
    }
  }

  init?(_ document: JSON) {
    if document["serverErrorCode"] != nil {
      guard let item = ItemFailure(document) else { return nil }
      self = .failed(item)
    } else if document["deleted"]?.bool == true, let name = document["recordName"]?.string {
      self = .deleted(recordName: name)
    } else {
      guard let record = CloudRecord(document) else { return nil }
      self = .saved(record)
    }
  }
}

extension ItemFailure {
  var document: JSONObject {
    var object = JSONObject()
    object["recordName"] = recordName.map(JSON.string)
    failure.write(to: &object)
    if let conflict {
      object["serverRecord"] = conflict.server?.document
      object["clientRecord"] = conflict.client.document
      object["ancestorRecord"] = conflict.ancestor?.document
    }
    return object
  }

  init?(_ document: JSON) {
    guard let failure = Failure(document) else { return nil }
    var conflict: Conflict?
    if let client = document["clientRecord"] {
      conflict = Conflict(
        server: document["serverRecord"].flatMap(CloudRecord.init), client: RecordDraft(client),
        ancestor: document["ancestorRecord"].flatMap(CloudRecord.init))
    }
    self.init(document["recordName"]?.string, failure, conflict: conflict)
  }
}

extension Failure {
  func write(to object: inout JSONObject) {
    object["serverErrorCode"] = .string(code.rawValue)
    object["reason"] = .string(reason)
    object["retryAfter"] = retryAfter.map { .double($0.seconds) }
    object["ckErrorCode"] = .string(native.name)
    object["ckErrorNumber"] = .number(native.rawValue)
    object["mimiErrorCode"] = mimiError.map(JSON.string)
    object["mimiReason"] = mimiReason.map(JSON.string)
  }

  init?(_ document: JSON) {
    guard let code = document["serverErrorCode"]?.string.flatMap(Code.init),
      let native = document["ckErrorNumber"]?.int.flatMap(Native.init)
    else { return nil }
    self.init(
      code, native, document["reason"]?.string ?? "",
      retryAfter: document["retryAfter"]?.double.map { Span(seconds: $0) },
      mimiError: document["mimiErrorCode"]?.string, mimiReason: document["mimiReason"]?.string)
  }
}

extension CourierToken {
  var document: JSON {
    [
      "apnsEnvironment": .string(apnsEnvironment), "apnsToken": .string(apnsToken),
      "webcourierURL": .string(webcourierURL),
    ]
  }

  init?(_ document: JSON) {
    guard let environment = document["apnsEnvironment"]?.string,
      let token = document["apnsToken"]?.string, let url = document["webcourierURL"]?.string
    else { return nil }
    self.init(apnsEnvironment: environment, apnsToken: token, webcourierURL: url)
  }
}

extension PushNotification {
  /// The payload of the push: exactly these top-level names (MS-96).
  var document: JSON {
    var object = JSONObject()
    switch content {
    case .order(let id, let status, let title, let body, let badge):
      object["aps"] = [
        "alert": ["title": .string(title), "body": .string(body)], "badge": .number(badge),
        "sound": "default",
      ]
      object["orderid"] = .string(id)
      object["status"] = .string(status)
    case .position(let driver):
      object["aps"] = ["content-available": 1]
      object["driverid"] = .string(driver)
    case .offer(let id, let order, let driver):
      object["aps"] = ["content-available": 1]
      object["driverid"] = .string(driver)
      object["orderid"] = .string(order)
      object["offerid"] = .string(id)
    }
    object["ck"] = origin
    return .object(object)
  }

  private var origin: JSON {
    var query: JSONObject = ["sid": .string(subscription), "rid": .string(recordName)]
    query["zid"] = .string(zone.zoneName)
    query["zoid"] = zone.ownerRecordName.map(JSON.string)
    query["dbs"] = .number(database.rawValue)
    query["fo"] = .number(fired.rawValue)
    if !additional.isEmpty { query["af"] = .object(additional.document) }
    return ["ce": 2, "cid": .string(container), "nid": .string(id), "qry": .object(query)]
  }

  init?(_ document: JSON) {
    guard let content = Content(document), let origin = document["ck"], origin["ce"] == 2,
      let container = origin["cid"]?.string, let id = origin["nid"]?.string,
      let query = origin["qry"], let subscription = query["sid"]?.string,
      let record = query["rid"]?.string, let zone = query["zid"]?.string,
      let database = query["dbs"]?.int.flatMap(Database.init),
      let fired = query["fo"]?.int.flatMap(Fired.init)
    else { return nil }
    self.init(
      content, container: container, id: id, subscription: subscription, recordName: record,
      zone: Zone(zone, owner: query["zoid"]?.string), database: database, fired: fired,
      additional: query["af"]?.object?.values ?? [:])
  }
}

extension PushNotification.Content {
  init?(_ document: JSON) {
    let order = document["orderid"]?.string
    if let alert = document["aps"]?["alert"] {
      guard let order, let status = document["status"]?.string, let title = alert["title"]?.string,
        let body = alert["body"]?.string, let badge = document["aps"]?["badge"]?.int
      else { return nil }
      self = .order(id: order, status: status, title: title, body: body, badge: badge)
      return
    }
    guard document["aps"]?["content-available"] == 1, let driver = document["driverid"]?.string
    else { return nil }
    if let order, let offer = document["offerid"]?.string {
      self = .offer(id: offer, order: order, driver: driver)
    } else {
      self = .position(driver: driver)
    }
  }
}
