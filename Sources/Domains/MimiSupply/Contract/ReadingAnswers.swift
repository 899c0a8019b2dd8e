import Contracts
import Timekeeping

extension MimiSupply {
  public static func read(_ response: WireResponse, to request: Request) -> Result<Reply, Refusal>?
  {
    let csn = response.header("X-Mimi-CSN").flatMap { Int($0) } ?? 0
    if response.status == 200, case .download = request {
      guard case .bytes(let bytes, _) = response.content else { return nil }
      return .success(Reply(.downloaded(bytes), csn: csn))
    }
    guard let sent = response.body else { return nil }
    guard response.status == 200 else { return refusal(response, sent).map { .failure($0) } }
    let body = wantsNumbersAsStrings(request) ? sent.withStringsAsNumbers : sent
    return content(body, of: request).map { .success(Reply($0, csn: csn)) }
  }

  private static func content(_ body: JSON, of request: Request) -> ReplyContent? {
    switch request {
    case .query:
      body["records"]?.list(CloudRecord.init)
        .map { .found($0, continuationMarker: body["continuationMarker"]?.string) }
    case .lookup, .modify: body["records"]?.list(ItemResult.init).map { .items($0) }
    case .changes: feed(body)
    case .listZones, .lookupZones, .modifyZones:
      body["zones"]?.list(ZoneResult.init).map { .zones($0) }
    case .changedZones: zoneChanges(body)
    case .listSubscriptions, .lookupSubscriptions, .modifySubscriptions:
      body["subscriptions"]?.list(SubscriptionResult.init).map { .subscriptions($0) }
    case .createToken: CourierToken(body).map { .tokenCreated($0) }
    case .registerToken, .signOut, .deleteAccount: .done
    case .requestUploads: body["tokens"]?.list(UploadTarget.init).map { .uploads($0) }
    case .upload: body["singleFile"].flatMap(Asset.init).map { .uploaded($0) }
    case .currentUser: UserIdentity(body).map { .user($0) }
    case .signIn: SignInAnswer(body).map { .signedIn($0) }
    case .selectRole: body["userProfile"].flatMap(CloudRecord.init).map { .roleSelected($0) }
    case .refresh: refreshed(body)
    case .exportAccount: .exported(body)
    case .partnerStats: PartnerStats(body).map { .stats($0) }
    case .poll: body.list(PushNotification.init).map { .notifications($0) }
    case .control, .inspect: body == [:] ? .done : .shown(body)
    case .download, .malformed, .unrouted: nil
    }
  }

  private static func feed(_ body: JSON) -> ReplyContent? {
    guard let items = body["records"]?.list(ItemResult.init),
      let token = body["syncToken"]?.string, let more = body["moreComing"]?.bool
    else { return nil }
    return .feed(items, syncToken: token, moreComing: more)
  }

  private static func zoneChanges(_ body: JSON) -> ReplyContent? {
    guard let zones = body["zones"]?.list(ZoneResult.init), let token = body["syncToken"]?.string
    else { return nil }
    return .zoneChanges(zones, syncToken: token)
  }

  private static func refreshed(_ body: JSON) -> ReplyContent? {
    guard let token = body["ckWebAuthToken"]?.string, let expires = body["expiresAt"]?.moment else {
      return nil
    }
    return .refreshed(
      userToken: token, expiresAt: expires)
  }

  private static func refusal(_ response: WireResponse, _ body: JSON) -> Refusal? {
    guard let failure = Failure(body), failure.code.status == response.status,
      let uuid = body["uuid"]?.string
    else { return nil }
    return Refusal(
      failure, uuid: uuid, redirectURL: body["redirectURL"]?.string,
      csn: response.header("X-Mimi-CSN").flatMap { Int($0) } ?? 0)
  }
}
