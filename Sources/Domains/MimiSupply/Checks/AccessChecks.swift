import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// Judges identity and access (§4.11), and who orders (MS-49).
enum AccessChecks {
  static let all: [MSCheck] = [
    .each(.ms49, .asking(.modify), by: AccountFacts.self, judgeOrders),
    .each(.ms101, .anything, judgeNobody),
    .each(
      .ms102, .asking(.query, .lookup, .listZones, .lookupZones, .changedZones), judgePublicReading),
    .history(
      .ms103, .asking(.signIn, .modify, .lookup), by: ProfilesOfIdentities.self, SignIns.init),
    .history(.ms104, .asking(.signIn).union([.controls]), IdentityTokens.init),
    .each(
      .ms105, .asking(.modify, .query, .partnerStats), by: AccessFacts.self, Permissions.judge)
      + .step(.ms105, Permissions.judgeInstructions),
    .history(
      .ms106, .asking(.modify, .lookup, .query, .changes), by: AccessFacts.self, Isolation.init),
    .history(.ms107, .asking(.lookup, .query, .changes), by: AccessFacts.self, Farewells.init),
    .each(.ms108, .asking(.modify, .selectRole, .signIn), by: AccessFacts.self, Elevation.judge),
    .history(
      .ms109, Set<Concern>.asking(.modify).union([.controls]), by: AccessFacts.self, Catalogue.init),
    .history(.ms110, Downloads.concerns, Downloads.init),
  ]

  // MARK: MS-49

  @Sendable private static func judgeOrders(
    _ call: SeenCall, _ facts: AccountFacts, _ verdict: inout Judge
  ) {
    for (item, result) in call.writes where item.record.type == .order && item.mayCreate {
      let isAnonymous = call.credential?.userToken == nil
      let role = facts.role(of: call)
      guard isAnonymous || role != nil else { continue }
      switch result {
      case .saved(let record) where record.created.timestamp == record.modified.timestamp:
        verdict.expect(role == .customer, "\(role?.rawValue ?? "nobody") ordered \(record.name)")
      case .failed(let failed) where role == .customer:
        let isOwn = item.record[Order.customer] == facts.user(of: call)
        guard item.kind == .create, isOwn, failed.failure.code == .accessDenied else { continue }
        verdict.violated("a customer was not permitted to order")
      case .failed(let failed) where item.kind == .create:
        verdict.expect(
          failed.failure.isNotLaterThanPermission,
          "an order of \(role?.rawValue ?? "nobody") was refused as "
            + (failed.failure.mimiReason ?? failed.failure.code.rawValue))
      default: continue
      }
    }
  }

  // MARK: MS-101, MS-102

  @Sendable private static func judgeNobody(_ call: SeenCall, _ verdict: inout Judge) {
    guard call.credential?.apiToken != nil, call.credential?.userToken == nil,
      call.request.needsUser
    else { return }
    switch call.outcome {
    case .replied: verdict.violated("\(call.request.name) was done for nobody")
    case .refused(let refusal):
      switch refusal.failure.code {
      case .authenticationRequired:
        verdict.expect(
          refusal.failure.native == .notAuthenticated, "the refusal names no missing sign-in")
      // An unknown application is refused before that; a fault of the backend comes after it, but says nothing.
      case .authenticationFailed, .tryAgainLater, .internalError: return
      default:
        verdict.violated(
          "\(call.request.name) of nobody was refused as \(refusal.failure.code.rawValue)")
      }
    default: return
    }
  }

  @Sendable private static func judgePublicReading(_ call: SeenCall, _ verdict: inout Judge) {
    guard call.request.isPublicReading, call.credential?.apiToken == "mimi-app",
      call.credential?.userToken == nil
    else { return }
    switch call.outcome {
    case .replied(let reply):
      if case .items(let items) = reply.content,
        items.contains(where: { $0.failure?.code == .accessDenied })
      {
        verdict.violated("a public record was kept from somebody")
      } else {
        verdict.held()
      }
    case .refused(let refusal):
      let code = refusal.failure.code
      verdict.expect(
        code != .authenticationRequired && code != .accessDenied,
        "reading public data was refused as \(code.rawValue)")
    default: return
    }
  }
}

extension Modification.Item {
  /// Whether the operation makes a record that is not there yet.
  var mayCreate: Bool { kind == .create || kind == .forceUpdate || kind == .forceReplace }
}

extension Failure {
  /// Whether a refusal can come from the permissions or from a step before them (§3.1).
  var isNotLaterThanPermission: Bool {
    switch code {
    case .conflict, .validatingReferenceError: false
    default: native != .constraintViolation
    }
  }
}

extension MimiSupply.Request {
  /// What nobody needs to sign in for (MS-102).
  var isPublicReading: Bool {
    switch self {
    case .query(let place, _), .lookup(let place, _), .listZones(let place),
      .lookupZones(let place, _), .changedZones(let place, _):
      place.database == "public"
    default: false
    }
  }

  /// Whether the user token decides: what cannot be read never comes so far, and some addresses are their own
  /// credential (§3.1, §3.5).
  var needsUser: Bool {
    switch self {
    case .signIn, .upload, .download, .poll, .unread, .control, .inspect: false
    default: !isPublicReading
    }
  }

  var name: String {
    let index = MimiSupply.operation(of: self)
    return MimiSupply.operations.indices.contains(index)
      ? MimiSupply.operations[index].name : "a request"
  }
}
