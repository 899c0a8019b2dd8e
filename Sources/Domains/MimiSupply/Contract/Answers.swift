import Contracts

// How answers travel (§3.1): under 200, with the last commit that they show, their numbers as texts where the request wants them so.
extension ReplyForm<MimiSupply> {
  private static let commit: JSONObject = ["X-Mimi-CSN": ["type": "integer"]]

  private static func commit(of response: WireResponse) -> Int {
    response.header("X-Mimi-CSN").flatMap { Int($0) } ?? 0
  }

  static func answer<Value: Sendable>(
    _ coding: Coding<Value>, _ make: @escaping @Sendable (Value) -> ReplyContent,
    _ get: @escaping @Sendable (ReplyContent) -> Value?
  ) -> Self {
    ReplyForm(
      status: 200, mediaType: "application/json", schema: coding.schema, headers: commit,
      write: { reply, request, spelling in
        guard let value = get(reply.content) else { return nil }
        let body = coding.write(value, spelling)
        return WireResponse(
          200, headers: [WireHeader("X-Mimi-CSN", String(reply.csn))],
          body: request?.wantsNumbersAsStrings == true ? body?.withNumbersAsStrings : body)
      },
      read: { response, request in
        guard response.status == 200, let sent = response.body else { return nil }
        let body = request.wantsNumbersAsStrings ? sent.withStringsAsNumbers : sent
        return (try? coding.read(body)).map {
          MimiSupply.Reply(make($0), csn: commit(of: response))
        }
      },
      mix: { reply, digest in
        guard let value = get(reply.content) else { return false }
        coding.mix(value, &digest)
        return true
      }, objection: { coding.objection(to: $0) })
  }

  static func answer<Value: Sendable>(
    _ shape: Shape<Value>, _ make: @escaping @Sendable (Value) -> ReplyContent,
    _ get: @escaping @Sendable (ReplyContent) -> Value?
  ) -> Self { .answer(shape.coding, make, get) }

  /// One value under a name.
  static func answer<Value: Sendable>(
    _ name: String, _ coding: Coding<Value>,
    _ make: @escaping @Sendable (Value) -> ReplyContent,
    _ get: @escaping @Sendable (ReplyContent) -> Value?
  ) -> Self { .answer(Shape({ $0 }, Field(name, \.self, coding)), make, get) }

  static let items = answer("records", .list(ItemResult.coding), ReplyContent.items, \.items)
  static let zones = answer("zones", .list(ZoneResult.coding), ReplyContent.zones, \.zones)
  static let subscriptions = answer(
    "subscriptions", .list(SubscriptionResult.coding), ReplyContent.subscriptions, \.subscriptions)
  static let found = answer(
    Shape(
      { (records: $0, marker: $1) },
      Field("records", { $0.records }, .list(CloudRecord.shape.coding)),
      Field("continuationMarker", { $0.marker }, .lenient(.text))),
    { .found($0.records, continuationMarker: $0.marker) }, \.found)
  static let feed = answer(
    Shape(
      { (items: $0, token: $1, more: $2) },
      Field("records", { $0.items }, .list(ItemResult.coding)),
      Field("syncToken", { $0.token }, .text), Field("moreComing", { $0.more }, .flag)),
    { .feed($0.items, syncToken: $0.token, moreComing: $0.more) }, \.feed)
  static let zoneChanges = answer(
    Shape(
      { (zones: $0, token: $1) }, Field("zones", { $0.zones }, .list(ZoneResult.coding)),
      Field("syncToken", { $0.token }, .text).then("moreComing", .flag, isChecked: false) { _ in
        false
      }), { .zoneChanges($0.zones, syncToken: $0.token) }, \.zoneChanges)
  static let refreshed = answer(
    Shape(
      { (token: $0, expires: $1) }, Field("ckWebAuthToken", { $0.token }, .text.hidden),
      Field("expiresAt", { $0.expires }, .milliseconds)),
    { .refreshed(userToken: $0.token, expiresAt: $0.expires) }, \.refreshed)
  /// The client ignores the body.
  static let done = answer(.nothing, { _ in .done }, { $0 == .done ? NoMembers() : nil })
  /// What a command shows; an empty document shows nothing.
  static let shown = answer(.json, { $0 == [:] ? .done : .shown($0) }, \.shown)

  /// A file.
  static let file = ReplyForm(
    status: 200, mediaType: "application/octet-stream", headers: commit,
    write: { reply, _, spelling in
      guard let bytes = reply.content.downloaded else { return nil }
      if case .redacted = spelling {
        return WireResponse(200, body: ["bytes": .number(bytes.count)])
      }
      return WireResponse(
        200, headers: [WireHeader("X-Mimi-CSN", String(reply.csn))],
        content: .bytes(bytes, mediaType: "application/octet-stream"))
    },
    read: { response, _ in
      guard response.status == 200, case .bytes(let bytes, _) = response.content else { return nil }
      return MimiSupply.Reply(.downloaded(bytes), csn: commit(of: response))
    },
    mix: { reply, digest in
      reply.content.downloaded.map { digest.mix($0.count) } != nil
    })
}

extension RefusalForm<MimiSupply> {
  /// A CloudKit error with the twin's additions (§3.1, §7.1).
  static let refused = json(MimiSupply.Refusal.shape) { $0.failure.code.status }
}

extension Coding where Value == NoMembers {
  /// An empty document, whatever stands in it.
  static let nothing = Coding(
    schema: ["type": "object"], example: [:], words: "object",
    read: { (json) throws(Malformed) in NoMembers() }, write: { _, _ in [:] }, mix: { _, _ in })
}

extension MimiSupply.Request {
  var wantsNumbersAsStrings: Bool {
    switch self {
    case .query(_, let asked): asked.numbersAsStrings
    case .lookup(_, let asked): asked.numbersAsStrings
    case .modify(_, let asked): asked.numbersAsStrings
    case .changes(_, let asked): asked.numbersAsStrings
    default: false
    }
  }
}
