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

extension ZoneResult {
  var document: JSON {
    switch self {
    case .zone(let zone, let atomic, let token):
      var object: JSONObject = ["zoneID": zone.document, "atomic": .bool(atomic)]
      object["syncToken"] = token.map(JSON.string)
      return .object(object)
    case .deleted(let zone): return ["zoneID": zone.document, "deleted": true]
    case .failed(let zone, let failure):
      var object: JSONObject = ["zoneID": zone.document]
      failure.write(to: &object)
      return .object(object)
    }
  }

  init?(_ document: JSON) {
    guard let zone = document["zoneID"].flatMap(Zone.init) else { return nil }
    if document["serverErrorCode"] != nil {
      guard let failure = Failure(document) else { return nil }
      self = .failed(zone, failure)
    } else if document["deleted"]?.bool == true {
      self = .deleted(zone)
    } else {
      self = .zone(
        zone, atomic: document["atomic"]?.bool ?? false, syncToken: document["syncToken"]?.string)
    }
  }
}

extension SubscriptionResult {
  var document: JSON {
    switch self {
    case .stored(let subscription): return subscription.document
    case .deleted(let id): return ["subscriptionID": .string(id), "deleted": true]
    case .failed(let id, let failure):
      var object = JSONObject()
      object["subscriptionID"] = id.map(JSON.string)
      failure.write(to: &object)
      return .object(object)
    }
  }

  init?(_ document: JSON) {
    let id = document["subscriptionID"]?.string
    if document["serverErrorCode"] != nil {
      guard let failure = Failure(document) else { return nil }
      self = .failed(id, failure)
    } else if document["deleted"]?.bool == true, let id {
      self = .deleted(id)
    } else {
      guard let subscription = Subscription(document) else { return nil }
      self = .stored(subscription)
    }
  }
}

extension UploadTarget {
  var document: JSON {
    [
      "recordName": .string(recordName), "fieldName": .string(fieldName), "url": .string(url),
    ]
  }

  init?(_ document: JSON) {
    guard let record = document["recordName"]?.string, let field = document["fieldName"]?.string,
      let url = document["url"]?.string
    else { return nil }
    self.init(recordName: record, fieldName: field, url: url)
  }
}

extension UserIdentity {
  var document: JSON {
    var object: JSONObject = ["userRecordName": .string(userRecordName)]
    object["firstName"] = firstName.map(JSON.string)
    object["lastName"] = lastName.map(JSON.string)
    object["emailAddress"] = emailAddress.map(JSON.string)
    return .object(object)
  }

  init?(_ document: JSON) {
    guard let name = document["userRecordName"]?.string else { return nil }
    self.init(
      userRecordName: name, firstName: document["firstName"]?.string,
      lastName: document["lastName"]?.string, emailAddress: document["emailAddress"]?.string)
  }
}

extension SignInAnswer {
  var document: JSON {
    [
      "ckWebAuthToken": .string(userToken), "expiresAt": .int(expiresAt.unixMilliseconds),
      "userRecordName": .string(userRecordName), "isNewUser": .bool(isNewUser),
      "requiresRoleSelection": .bool(requiresRoleSelection), "userProfile": userProfile.document,
    ]
  }

  init?(_ document: JSON) {
    guard let token = document["ckWebAuthToken"]?.string,
      let expires = document["expiresAt"]?.moment,
      let name = document["userRecordName"]?.string, let isNew = document["isNewUser"]?.bool,
      let asks = document["requiresRoleSelection"]?.bool,
      let profile = document["userProfile"].flatMap(CloudRecord.init)
    else { return nil }
    self.init(
      userToken: token, expiresAt: expires, userRecordName: name,
      isNewUser: isNew, requiresRoleSelection: asks, userProfile: profile)
  }
}

extension PartnerStats {
  var document: JSON {
    [
      "ordersToday": .number(ordersToday), "revenueTodayCents": .int(revenueTodayCents),
      "averageRating": .double(averageRating), "reviewCount": .int(reviewCount),
      "totalOrders": .number(totalOrders), "totalRevenueCents": .int(totalRevenueCents),
      "activeOrders": .number(activeOrders),
    ]
  }

  public init?(_ document: JSON) {
    guard let today = document["ordersToday"]?.int,
      let revenue = document["revenueTodayCents"]?.int,
      let rating = document["averageRating"]?.double, let reviews = document["reviewCount"]?.int,
      let orders = document["totalOrders"]?.int, let total = document["totalRevenueCents"]?.int,
      let active = document["activeOrders"]?.int
    else { return nil }
    self.init(
      ordersToday: today, revenueTodayCents: Int64(revenue), averageRating: rating,
      reviewCount: Int64(reviews), totalOrders: orders, totalRevenueCents: Int64(total),
      activeOrders: active)
  }
}
