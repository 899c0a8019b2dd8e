import Contracts

extension MimiSupply {
  public static func write(
    _ result: Result<Reply, Refusal>, to request: Request, tokens: any TokenCodec
  ) -> WireResponse {
    switch result {
    case .success(let reply):
      let csn = WireHeader("X-Mimi-CSN", String(reply.csn))
      if case .downloaded(let bytes) = reply.content {
        return WireResponse(
          200, headers: [csn], content: .bytes(bytes, mediaType: "application/octet-stream"))
      }
      let body = document(of: reply.content)
      return WireResponse(
        200, headers: [csn],
        body: wantsNumbersAsStrings(request) ? body.withNumbersAsStrings : body)
    case .failure(let refusal): return refused(refusal)
    }
  }

  static func wantsNumbersAsStrings(_ request: Request) -> Bool {
    switch request {
    case .query(_, let asked): asked.numbersAsStrings
    case .lookup(_, let asked): asked.numbersAsStrings
    case .modify(_, let asked): asked.numbersAsStrings
    case .changes(_, let asked): asked.numbersAsStrings
    default: false
    }
  }

  private static func refused(_ refusal: Refusal) -> WireResponse {
    var object: JSONObject = ["uuid": .string(refusal.uuid)]
    refusal.failure.write(to: &object)
    object["redirectURL"] = refusal.redirectURL.map(JSON.string)
    var response = WireResponse(
      refusal.failure.code.status, headers: [WireHeader("X-Mimi-CSN", String(refusal.csn))],
      body: .object(object))
    if let wait = refusal.failure.retryAfter {
      let (whole, rest) = wait.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
      response.headers.append(WireHeader("Retry-After", String(whole + (rest > 0 ? 1 : 0))))
    }
    return response
  }

  static func document(of reply: ReplyContent) -> JSON {
    switch reply {
    case .found(let records, let marker):
      var object: JSONObject = ["records": .array(records.map(\.document))]
      object["continuationMarker"] = marker.map(JSON.string)
      return .object(object)
    case .items(let items): return ["records": .array(items.map(\.document))]
    case .feed(let items, let token, let more):
      return [
        "records": .array(items.map(\.document)), "syncToken": .string(token),
        "moreComing": .bool(more),
      ]
    case .zones(let zones): return ["zones": .array(zones.map(\.document))]
    case .zoneChanges(let zones, let token):
      return [
        "zones": .array(zones.map(\.document)), "syncToken": .string(token), "moreComing": false,
      ]
    case .subscriptions(let results): return ["subscriptions": .array(results.map(\.document))]
    case .tokenCreated(let token): return token.document
    case .uploads(let targets): return ["tokens": .array(targets.map(\.document))]
    case .uploaded(let asset): return ["singleFile": asset.document]
    case .downloaded: return [:]
    case .user(let user): return user.document
    case .signedIn(let answer): return answer.document
    case .roleSelected(let profile): return ["userProfile": profile.document]
    case .refreshed(let token, let expires):
      return ["ckWebAuthToken": .string(token), "expiresAt": .int(expires.unixMilliseconds)]
    case .exported(let data), .shown(let data): return data
    case .stats(let stats): return stats.document
    case .notifications(let notifications): return .array(notifications.map(\.document))
    case .done: return [:]
    }
  }
}
