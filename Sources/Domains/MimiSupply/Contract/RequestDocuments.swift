import Contracts

extension RecordQuery {
  public var document: JSON {
    var object: JSONObject = ["recordType": .string(recordType)]
    if !filters.isEmpty { object["filterBy"] = .array(filters.map(\.document)) }
    if !sorts.isEmpty { object["sortBy"] = .array(sorts.map(\.document)) }
    return .object(object)
  }

  init?(_ document: JSON) {
    guard document.object != nil else { return nil }
    var body = BodyReader(document)
    self.init(
      body.text("recordType"), body.optionalList("filterBy", Filter.init),
      sortedBy: body.optionalList("sortBy", Sort.init))
    if body.isWrong { return nil }
  }
}

extension Filter {
  public var document: JSON {
    var object: JSONObject = [
      "comparator": .string(comparator), "fieldName": .string(fieldName),
      "fieldValue": value?.document ?? ["value": nil],
    ]
    object["distance"] = distance.map(JSON.double)
    return .object(object)
  }

  init?(_ document: JSON) {
    guard let comparator = document["comparator"]?.string,
      let field = (document["fieldName"] ?? document["systemFieldName"])?.string
    else { return nil }
    let value = document["fieldValue"] ?? .null
    let isNull = value.isNull || value["value"]?.isNull == true
    if let distance = document["distance"], distance.double == nil, !distance.isNull { return nil }
    self.init(
      field, text: comparator, isNull ? nil : FieldValue(value),
      distance: document["distance"]?.double)
  }
}

extension Sort {
  public var document: JSON {
    var object: JSONObject = ["fieldName": .string(fieldName), "ascending": .bool(ascending)]
    object["relativeLocation"] = relativeLocation?.document
    return .object(object)
  }

  init?(_ document: JSON) {
    guard let field = (document["fieldName"] ?? document["systemFieldName"])?.string else {
      return nil
    }
    if let ascending = document["ascending"], ascending.bool == nil { return nil }
    var place = document["relativeLocation"].map(FieldValue.init)
    // CloudKit names the place without a wrapping; both are understood.
    if let bare = document["relativeLocation"], bare["value"] == nil, bare["latitude"] != nil {
      place = FieldValue(["value": bare, "type": "LOCATION"])
    }
    self.init(field, ascending: document["ascending"]?.bool ?? true, relativeLocation: place)
  }
}

extension Modification.Item {
  public var document: JSON {
    var object: JSONObject = [
      "operationType": .string(kind.rawValue), "record": record.document,
    ]
    object["desiredKeys"] = desiredKeys.map(JSON.strings)
    return .object(object)
  }

  init?(_ document: JSON) {
    guard let kind = document["operationType"]?.string.flatMap(Modification.Kind.init),
      let record = document["record"], record.object != nil, RecordDraft.isReadable(record)
    else { return nil }
    let keys = document["desiredKeys"]
    if let keys, keys.strings == nil, !keys.isNull { return nil }
    self.init(kind, RecordDraft(record), desiredKeys: keys?.strings)
  }
}

extension RecordDraft {
  /// Whether the parts of a record that say which it is are texts, and its fields an object.
  static func isReadable(_ record: JSON) -> Bool {
    for name in ["recordName", "recordType", "recordChangeTag"] {
      if let member = record[name], member.string == nil, !member.isNull { return false }
    }
    guard let fields = record["fields"] else { return true }
    return fields.object != nil || fields.isNull
  }
}

extension ZoneOperation {
  public var document: JSON {
    ["operationType": .string(kind.rawValue), "zone": ["zoneID": zone.document]]
  }

  init?(_ document: JSON) {
    guard let kind = document["operationType"]?.string.flatMap(Kind.init),
      let zone = document["zone"]?["zoneID"].flatMap(Zone.init)
    else { return nil }
    self.init(kind, zone)
  }
}

extension SubscriptionOperation {
  public var document: JSON {
    let subscription: JSON =
      switch subject {
      case .subscription(let subscription): subscription.document
      case .name(let name): ["subscriptionID": .string(name)]
      case .unreadable(let id):
        ["subscriptionID": .optional(id), "subscriptionType": "unknown"]
      }
    return ["operationType": .string(kind.rawValue), "subscription": subscription]
  }

  init?(_ document: JSON) {
    guard let kind = document["operationType"]?.string.flatMap(Kind.init),
      let sent = document["subscription"], sent.object != nil
    else { return nil }
    let id = sent["subscriptionID"]?.string
    if kind == .delete {
      self.init(kind, id.map { .name($0) } ?? .unreadable(id: nil))
    } else {
      self.init(kind, Subscription(sent).map { .subscription($0) } ?? .unreadable(id: id))
    }
  }
}

extension Subscription {
  public var document: JSON {
    var object = JSONObject()
    object["subscriptionID"] = id.map(JSON.string)
    object["subscriptionType"] = "query"
    object["query"] = query.document
    object["firesOn"] = .strings(firesOn.map(\.rawValue))
    if firesOnce { object["firesOnce"] = true }
    object["notificationInfo"] = notificationInfo?.document
    return .object(object)
  }

  init?(_ document: JSON) {
    guard document["subscriptionType"]?.string == "query",
      let query = document["query"].flatMap(RecordQuery.init),
      let events = document["firesOn"]?.list({ $0.string.flatMap(Event.init) }), !events.isEmpty
    else { return nil }
    if let id = document["subscriptionID"], id.string == nil, !id.isNull { return nil }
    if let once = document["firesOnce"], once.bool == nil { return nil }
    let info = document["notificationInfo"].flatMap { $0.isNull ? nil : $0 }
    let read = info.flatMap(NotificationInfo.init)
    if info != nil, read == nil { return nil }
    self.init(
      document["subscriptionID"]?.string, query, firesOn: events,
      firesOnce: document["firesOnce"]?.bool ?? false,
      notificationInfo: read)
  }
}

extension Subscription.NotificationInfo {
  public var document: JSON {
    var object = JSONObject()
    object["alertBody"] = alertBody.map(JSON.string)
    object["title"] = title.map(JSON.string)
    object["soundName"] = soundName.map(JSON.string)
    object["shouldBadge"] = shouldBadge.map(JSON.bool)
    object["shouldSendContentAvailable"] = shouldSendContentAvailable.map(JSON.bool)
    object["additionalFields"] = additionalFields.map(JSON.strings)
    return .object(object)
  }

  init?(_ document: JSON) {
    guard document.object != nil else { return nil }
    var body = BodyReader(document)
    self.init(
      alertBody: body.optionalText("alertBody"), title: body.optionalText("title"),
      soundName: body.optionalText("soundName"), shouldBadge: body.optionalFlag("shouldBadge"),
      shouldSendContentAvailable: body.optionalFlag("shouldSendContentAvailable"),
      additionalFields: body.optionalTexts("additionalFields"))
    if body.isWrong { return nil }
  }
}

extension JSON {
  private static let numbers: Set<String> = ["INT64", "TIMESTAMP"]

  /// The same document with the values of INT64 and TIMESTAMP fields as texts (§2.1, `numbersAsStrings`).
  var withNumbersAsStrings: JSON {
    mappingNumbers { if case .int(let number) = $0 { .string(String(number)) } else { $0 } }
  }

  /// The other way round; a text that is no number stays one, for the schema to refuse.
  var withStringsAsNumbers: JSON {
    mappingNumbers { value in
      if case .string(let text) = value, let number = Int64(text) { .int(number) } else { value }
    }
  }

  private func mappingNumbers(_ change: (JSON) -> JSON) -> JSON {
    switch self {
    case .array(let items): return .array(items.map { $0.mappingNumbers(change) })
    case .object(let object):
      let isNumber = object["type"]?.string.map(Self.numbers.contains) ?? false
      return .object(
        JSONObject(
          object.members.map { name, value in
            let isValue = isNumber && name == "value"
            return (name: name, value: isValue ? change(value) : value.mappingNumbers(change))
          }))
    case .null, .bool, .int, .double, .string: return self
    }
  }
}
