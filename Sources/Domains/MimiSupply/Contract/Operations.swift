import Contracts
import Timekeeping

extension MimiSupply {
  /// Raw values index `operations`.
  public enum MobileOperation: Int, CaseIterable, Hashable, Sendable {
    case query, lookup, modify, changes
    case listZones, lookupZones, modifyZones, changedZones
    case listSubscriptions, lookupSubscriptions, modifySubscriptions
    case createToken, registerToken, requestUploads, currentUser
    case upload, download, poll
    case signIn, selectRole, refresh, signOut
    case exportAccount, deleteAccount, partnerStats
    /// Requests that no operation takes.
    case unrouted
    case control, inspect

    public init?(named name: String) {
      guard let operation = Self.allCases.first(where: { "\($0)" == name }) else { return nil }
      self = operation
    }
  }

  /// Clients poll for at most this long, so that their own time-out is never the first.
  public static let longestPollSeconds = 60

  public static let operations: [Operation] = MobileOperation.allCases.map { operation in
    let (title, source) = describe(operation)
    switch operation {
    case .poll:
      return Operation(
        "\(operation)", title, source: source, timeout: .seconds(Int64(longestPollSeconds) + 15),
        isLongPoll: true)
    case .control: return Operation("control", title, kind: .control, source: source)
    case .inspect: return Operation("inspect", title, kind: .inspection, source: source)
    default: return Operation("\(operation)", title, source: source, timeout: .seconds(10))
    }
  }

  private static func describe(_ operation: MobileOperation) -> (title: String, source: String) {
    switch operation {
    case .query: ("Find records", "§3.2 records/query")
    case .lookup: ("Read records by name", "§3.2 records/lookup")
    case .modify: ("Write a batch of records", "§3.2 records/modify")
    case .changes: ("Read what changed in a zone", "§3.2 records/changes")
    case .listZones: ("List zones", "§3.2 zones/list")
    case .lookupZones: ("Read zones by name", "§3.2 zones/lookup")
    case .modifyZones: ("Create and delete zones", "§3.2 zones/modify")
    case .changedZones: ("Read which zones changed", "§3.2 zones/changes")
    case .listSubscriptions: ("List subscriptions", "§3.2 subscriptions/list")
    case .lookupSubscriptions: ("Read subscriptions by name", "§3.2 subscriptions/lookup")
    case .modifySubscriptions: ("Write subscriptions", "§3.2 subscriptions/modify")
    case .createToken: ("Create a push token", "§3.2 tokens/create")
    case .registerToken: ("Register a push token", "§3.2 tokens/register")
    case .requestUploads: ("Ask where files may be sent", "§3.2 assets/upload")
    case .currentUser: ("Who is signed in", "§3.2 users/current")
    case .upload: ("Send a file", "§3.2 assets/upload")
    case .download: ("Fetch a file", "MS-110")
    case .poll: ("Wait for notifications", "§3.5")
    case .signIn: ("Sign in with Apple", "§3.8")
    case .selectRole: ("Select a role", "§3.4 selectRole")
    case .refresh: ("Extend the session", "§3.4 refreshCredentials")
    case .signOut: ("End the session", "§3.4 signOut")
    case .exportAccount: ("Export one's data", "MS-115")
    case .deleteAccount: ("Delete one's account", "MS-116")
    case .partnerStats: ("Read a partner's figures", "§3.4 fetchPartnerStats")
    case .unrouted: ("Unknown routes", "§3.1")
    case .control: ("Operator and environment", "§11")
    case .inspect: ("Look at the twin's state", "§11")
    }
  }

  public static func operation(of request: Request) -> Int { mobileOperation(of: request).rawValue }

  public static func mobileOperation(of request: Request) -> MobileOperation {
    switch request {
    case .query: .query
    case .lookup: .lookup
    case .modify: .modify
    case .changes: .changes
    case .listZones: .listZones
    case .lookupZones: .lookupZones
    case .modifyZones: .modifyZones
    case .changedZones: .changedZones
    case .listSubscriptions: .listSubscriptions
    case .lookupSubscriptions: .lookupSubscriptions
    case .modifySubscriptions: .modifySubscriptions
    case .createToken: .createToken
    case .registerToken: .registerToken
    case .requestUploads: .requestUploads
    case .currentUser: .currentUser
    case .upload: .upload
    case .download: .download
    case .poll: .poll
    case .signIn: .signIn
    case .selectRole: .selectRole
    case .refresh: .refresh
    case .signOut: .signOut
    case .exportAccount: .exportAccount
    case .deleteAccount: .deleteAccount
    case .partnerStats: .partnerStats
    case .malformed(let operation, _, _): operation
    case .unrouted: .unrouted
    case .control: .control
    case .inspect: .inspect
    }
  }
}
