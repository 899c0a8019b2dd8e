import Contracts

/// O21 to O25 over HTTP.
extension KantineKoning {
  static func takeoverRoutes(to path: [String]) -> [Route] {
    if path == ["cta", "shift-volunteer"] {
      return [
        Route(method: "POST", operation: .shiftVolunteer) { (_, body) throws(Malformed) in
          let members = try WireMembers(body: body)
          return .answerCallToAction(
            CallToAction(
              token: .text(try members.text("token")), names: try members.texts("names")))
        }
      ]
    }
    guard path.first == "diensten" else { return [] }
    if path.count == 2 { return path[1] == "available" ? [available] : [preview(of: path[1])] }
    guard path.count == 3 else { return [] }
    let id = path[1]
    switch path[2] {
    case "claim":
      return [
        Route(method: "POST", operation: .claimDienst) { (_, body) throws(Malformed) in
          let members = try WireMembers(body: body)
          return .claimDienst(
            DienstClaim(
              dienstID: id, team: try members.text("team_id"),
              token: .text(try members.text("notification_token"))))
        }
      ]
    case "transfer-offer":
      return [
        Route(method: "PUT", operation: .transferOffer) { (_, body) throws(Malformed) in
          let offered = try WireMembers(body: body).flag("offered_for_transfer")
          return .offerTransfer(TransferOffer(dienstID: id, offered: offered))
        }
      ]
    default: return []
    }
  }

  private static var available: Route {
    Route(method: "GET", operation: .availableDiensten) { (query, _) throws(Malformed) in
      .availableDiensten(currentTeam: query["current_team_code"])
    }
  }

  private static func preview(of id: String) -> Route {
    Route(method: "GET", operation: .takeover) { (query, _) throws(Malformed) in
      guard let token = query["token"] else { throw Malformed("'token' is missing") }
      return .takeover(
        TakeoverQuery(dienstID: id, tenant: query["tenant"], token: .text(token)))
    }
  }

  static func takeoverRequest(_ request: Request, spelling: WireSpelling) -> WireRequest {
    switch request {
    case .availableDiensten(let team):
      return WireRequest(
        "GET",
        MobileTarget.write(basePath + "/diensten/available", [("current_team_code", team)]))
    case .takeover(let query):
      let token = spelling.notificationToken(query.token).string
      return WireRequest(
        "GET",
        MobileTarget.write(
          basePath + dienstPath(query.dienstID), [("tenant", query.tenant), ("token", token)]))
    case .claimDienst(let claim):
      return send(
        "POST", dienstPath(claim.dienstID) + "/claim",
        [
          "team_id": .string(claim.team),
          "notification_token": spelling.notificationToken(claim.token),
        ])
    case .offerTransfer(let offer):
      return send(
        "PUT", dienstPath(offer.dienstID) + "/transfer-offer",
        ["offered_for_transfer": .bool(offer.offered)])
    case .answerCallToAction(let call):
      return send(
        "POST", "/cta/shift-volunteer",
        ["token": spelling.callToActionToken(call.token), "names": .strings(call.names)])
    default: preconditionFailure("a request that is none of O21 to O25")
    }
  }

  private static func dienstPath(_ id: String) -> String { "/diensten/" + MobileTarget.encode(id) }
}

extension Transfer {
  var json: JSON {
    .given([
      ("success", true), ("message", message.map(JSON.string)), ("dienst", dienst.json),
    ])
  }

  init(_ members: WireMembers) throws(Malformed) {
    guard try members.flag("success") else { throw Malformed("'success' is false") }
    self.init(
      dienst: try Dienst(try WireMembers(members.value("dienst"))),
      message: try members.optionalText("message"))
  }
}
