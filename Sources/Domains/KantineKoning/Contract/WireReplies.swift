import Contracts
import Timekeeping

/// Answers over HTTP (§3.1, §3.3, §6.4).
extension KantineKoning {
  public static func write(
    _ result: Result<Reply, Refusal>, to request: Request, tokens: any TokenCodec
  ) -> WireResponse {
    switch result {
    case .success(let reply): WireResponse(200, body: json(of: reply, spelling: .wire(tokens)))
    case .failure(let refusal): WireResponse(refusal.status, body: refusal.json)
    }
  }

  public static func read(
    _ response: WireResponse, to request: Request
  ) -> Result<Reply, Refusal>? {
    switch response.status {
    case 200..<300:
      do throws(Malformed) {
        return .success(try reply(to: request, in: response.body))
      } catch {
        return nil
      }
    // A server error says nothing about what happened (O3's enrollment_failed among them).
    case 400..<500: return Refusal(response.body).map { .failure($0) }
    default: return nil
    }
  }

  // MARK: Writing

  static func json(of reply: Reply, spelling: WireSpelling) -> JSON {
    switch reply {
    case .allowedTeams(let teams), .teams(let teams): ["teams": .array(teams.map(\.json))]
    case .emailSent: ["status": "email_sent"]
    case .registered(let answer): answer.json(spelling)
    case .synced(let summary): summary.json
    case .status(let status): status.json
    case .tenants(let tenants): ["tenants": .array(tenants.map(\.json))]
    case .diensten(let diensten): ["diensten": .array(diensten.map { $0.json(spelling) })]
    case .dienst(let dienst): ["dienst": dienst.json]
    case .teamsRemoved(let removal): removal.json
    case .enrollmentsRevoked(let count): ["enrollments_revoked": .number(count)]
    case .emailPreferences(let preferences): preferences.json
    case .apnsTokenUpdated(let count): ["updated": .number(count)]
    case .transfer(let transfer): transfer.json
    case .foundEnrollments(let found): ["enrollments": .array(found.map(\.json))]
    case .apnsEnvironment(let variables): variables.json
    case .pushDeliveries(let deliveries): ["push_deliveries": .array(deliveries.map(\.json))]
    case .notices(let notices): ["notices": .array(notices.map { $0.json(spelling) })]
    case .done: ["done": true]
    case .clubs(let clubs): ["tenants": .array(clubs.map(\.json))]
    case .leaderboard(let board): board.json
    case .globalLeaderboard(let board): board.json
    case .banners(let lists): lists.json
    case .seasonSummary(let summary): summary.json
    case .outbox(let mails): ["mails": .array(mails.map { $0.json(spelling) })]
    case .enrollmentList(let listing): listing.json
    case .inspection(let inspection): inspection.json(spelling)
    }
  }

  // MARK: Reading

  private static func reply(to request: Request, in body: JSON?) throws(Malformed) -> Reply {
    let members = try WireMembers(body)
    switch request {
    case .requestEnrollment(let asked):
      guard asked.teamCodes.isEmpty else { return .emailSent }
      return .allowedTeams(try all(try members.array("teams"), TeamInfo.init))
    case .register: return .registered(try RegistrationAnswer(members))
    case .sync: return .synced(try CleanupSummary(members))
    case .status: return .status(try EnrollmentStatus(members))
    case .tenants: return .tenants(try all(try members.array("tenants"), TenantInfo.init))
    case .searchTeams: return .teams(try all(try members.array("teams"), TeamInfo.init))
    case .diensten: return .diensten(try all(try members.array("diensten"), Dienst.init))
    case .addVolunteer, .removeVolunteer:
      return .dienst(try Dienst(try WireMembers(members.value("dienst"))))
    case .removeTeams: return .teamsRemoved(try TeamRemoval(members))
    case .removeTenant, .removeAll:
      return .enrollmentsRevoked(try members.number("enrollments_revoked"))
    case .setEmailPreference: return .emailPreferences(try [TeamPreference](members))
    case .updateApnsToken: return .apnsTokenUpdated(try members.number("updated"))
    case .availableDiensten:
      return .diensten(try all(try members.array("diensten"), Dienst.init))
    case .takeover, .answerCallToAction:
      return .dienst(try Dienst(try WireMembers(members.value("dienst"))))
    case .claimDienst, .offerTransfer: return .transfer(try Transfer(members))
    case .control(.findEnrollments):
      return .foundEnrollments(try all(try members.array("enrollments"), FoundEnrollment.init))
    case .control(.readApnsEnvironment), .control(.setApnsEnvironment):
      return .apnsEnvironment(try ApnsVariables(members))
    case .control(.pushDeliveries), .control(.sendTestPush):
      return .pushDeliveries(try all(try members.array("push_deliveries"), PushDelivery.init))
    case .control(.notices): return .notices(try all(try members.array("notices"), Notice.init))
    case .apns: return .done
    case .searchClubs: return .clubs(try all(try members.array("tenants"), FoundClub.init))
    case .leaderboard: return .leaderboard(try TenantBoard(members))
    case .globalLeaderboard: return .globalLeaderboard(try GlobalBoard(members))
    case .banners: return .banners(try BannerLists(members))
    case .seasonSummary: return .seasonSummary(try SeasonSummary(members))
    case .control(.outbox): return .outbox(try all(try members.array("mails"), Mail.init))
    case .control(.listEnrollments): return .enrollmentList(try EnrollmentListing(members))
    case .control: return .done
    case .inspect: return .inspection(try Inspection(members))
    case .malformed, .unrouted: throw Malformed("a request that no backend accepts was accepted")
    }
  }
}

/// Reads every item of a list.
func all<Item>(
  _ values: [JSON], _ read: (WireMembers) throws(Malformed) -> Item
) throws(Malformed) -> [Item] {
  var items: [Item] = []
  for value in values { items.append(try read(try WireMembers(value))) }
  return items
}

extension WireMembers {
  func instant(_ name: String) throws(Malformed) -> Instant {
    guard let instant = Instant(try text(name)) else { throw Malformed("'\(name)' is no instant") }
    return instant
  }

  func role(_ name: String) throws(Malformed) -> Role {
    guard let role = Role(rawValue: try text(name)) else { throw Malformed("'\(name)' is no role") }
    return role
  }
}

extension KantineKoning.Refusal {
  /// §3.1: the code, and what belongs to it.
  var json: JSON {
    var members: JSONObject = ["error": .string(code)]
    if let message { members["message"] = .string(message) }
    if let reason { members["reason"] = .string(reason.rawValue) }
    if kind == .enrollmentClosed { members["enrollment_allowed"] = false }
    return .object(members)
  }

  /// Reads an error body; `nil` when its code is none of §3.3.
  init?(_ body: JSON?) {
    guard let kind = body?["error"]?.string.flatMap(Code.init) else { return nil }
    self.init(
      kind, reason: body?["reason"]?.string.flatMap(KantineKoning.RevocationReason.init),
      message: body?["message"]?.string)
  }
}
