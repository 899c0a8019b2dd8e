import Contracts

/// The operations that the twin serves, numbered as the specification's table 3.4; raw values index
/// `KantineKoning.operations`.
public enum MobileOperation: Int, CaseIterable, Hashable, Sendable {
  case allowedTeams, requestEnrollment, register, sync, status, tenants, searchTeams, diensten
  case addVolunteer, removeVolunteer
  case removeTeams, removeTenant, removeAll, emailPreferences, apnsToken
  case availableDiensten, takeover, claimDienst, transferOffer, shiftVolunteer
  case searchClubs, leaderboard, globalLeaderboard, banners, seasonSummary
  /// Requests that no route takes.
  case unrouted
  case control, inspect
  /// What Apple's side of the world tells the twin.
  case apns
}

extension KantineKoning {
  public static let operations: [Operation] = MobileOperation.allCases.map { operation in
    switch operation {
    case .allowedTeams: Operation("allowedTeams", "Allowed teams of an address", source: "O1")
    case .requestEnrollment: Operation("requestEnrollment", "Request a magic link", source: "O2")
    case .register: Operation("register", "Register a device", source: "O3")
    case .sync: Operation("sync", "Reconcile enrollments", source: "O4")
    case .status: Operation("status", "Enrollment status", source: "O5")
    case .tenants: Operation("tenants", "Tenant info", source: "O11")
    case .searchTeams: Operation("searchTeams", "Search teams", source: "O13")
    case .diensten: Operation("diensten", "Diensten of a tenant", source: "O14")
    case .addVolunteer: Operation("addVolunteer", "Add a volunteer", source: "O15")
    case .removeVolunteer: Operation("removeVolunteer", "Remove a volunteer", source: "O16")
    case .removeTeams: Operation("removeTeams", "Remove teams", source: "O6")
    case .removeTenant: Operation("removeTenant", "Remove a club", source: "O7")
    case .removeAll: Operation("removeAll", "Remove everything", source: "O8")
    case .emailPreferences: Operation("emailPreferences", "E-mail preferences", source: "O9")
    case .apnsToken: Operation("apnsToken", "Update the push token", source: "O10")
    case .availableDiensten:
      Operation("availableDiensten", "Diensten to take over", source: "O21")
    case .takeover: Operation("takeover", "A dienst to take over", source: "O22")
    case .claimDienst: Operation("claimDienst", "Take a dienst over", source: "O23")
    case .transferOffer: Operation("transferOffer", "Offer a dienst", source: "O24")
    case .shiftVolunteer: Operation("shiftVolunteer", "Volunteers from a mail", source: "O25")
    case .searchClubs: Operation("searchClubs", "Search clubs", source: "O12")
    case .leaderboard: Operation("leaderboard", "Leaderboard of a club", source: "O17")
    case .globalLeaderboard:
      Operation("globalLeaderboard", "Leaderboard of all clubs", source: "O18")
    case .banners: Operation("banners", "Banners", source: "O19")
    case .seasonSummary: Operation("seasonSummary", "Season summary", source: "O20")
    case .unrouted: Operation("unrouted", "Unknown routes", source: "§3.2 step 1")
    case .control: Operation("control", "Operator's commands", kind: .control, source: "§3.5")
    case .inspect: Operation("inspect", "Inspection", kind: .inspection, source: "§3.5")
    case .apns: Operation("apns", "Reports of APNs", kind: .control, source: "§6.1")
    }
  }

  public static func mobileOperation(of request: Request) -> MobileOperation {
    switch request {
    case .requestEnrollment(let asked): asked.teamCodes.isEmpty ? .allowedTeams : .requestEnrollment
    case .register: .register
    case .sync: .sync
    case .status: .status
    case .tenants: .tenants
    case .searchTeams: .searchTeams
    case .diensten: .diensten
    case .addVolunteer: .addVolunteer
    case .removeVolunteer: .removeVolunteer
    case .removeTeams: .removeTeams
    case .removeTenant: .removeTenant
    case .removeAll: .removeAll
    case .setEmailPreference: .emailPreferences
    case .updateApnsToken: .apnsToken
    case .availableDiensten: .availableDiensten
    case .takeover: .takeover
    case .claimDienst: .claimDienst
    case .offerTransfer: .transferOffer
    case .answerCallToAction: .shiftVolunteer
    case .apns: .apns
    case .searchClubs: .searchClubs
    case .leaderboard: .leaderboard
    case .globalLeaderboard: .globalLeaderboard
    case .banners: .banners
    case .seasonSummary: .seasonSummary
    case .malformed(let operation, _): operation
    case .unrouted: .unrouted
    case .control: .control
    case .inspect: .inspect
    }
  }

  public static func operation(of request: Request) -> Int {
    mobileOperation(of: request).rawValue
  }
}
