import Contracts
import Timekeeping

// The words of section 7: what an installation of the app knows about itself and writes down.

/// What the app depends on (§7.4).
public enum AppService: String, Hashable, Sendable, CaseIterable {
  case cloudKit, location, payment, push, authentication, analytics

  /// Among all of them.
  public var place: Int {
    switch self {
    case .cloudKit: 0
    case .location: 1
    case .payment: 2
    case .push: 3
    case .authentication: 4
    case .analytics: 5
    }
  }

  /// The service that a request is served by.
  public static func of(_ request: MimiSupply.Request) -> AppService {
    switch request {
    case .signIn, .selectRole, .refresh, .signOut, .currentUser: .authentication
    case .listSubscriptions, .lookupSubscriptions, .modifySubscriptions, .createToken,
      .registerToken, .poll:
      .push
    case .partnerStats: .analytics
    case .modify(_, let asked):
      if asked.items.contains(where: { $0.kind == .create && $0.record.type == .order }) {
        .payment
      } else if !asked.items.isEmpty,
        asked.items.allSatisfy({ $0.record.type == .driverLocation })
      {
        .location
      } else {
        .cloudKit
      }
    default: .cloudKit
    }
  }
}

/// How much of the app still works (§7.4).
public enum DegradationLevel: String, Hashable, Sendable, CaseIterable {
  case none, minor, moderate, severe
}

/// The circuit breakers (§7.5); services without one of their own share that of CloudKit.
public enum BreakerName: String, Hashable, Sendable, CaseIterable {
  case network, cloudKit, location, payment

  /// Among all of them: what is kept for each is found by it, since Swift hashes the text of a case that has one.
  public var place: Int {
    switch self {
    case .network: 0
    case .cloudKit: 1
    case .location: 2
    case .payment: 3
    }
  }

  /// The breaker that watches a service.
  public static func watching(_ service: AppService) -> BreakerName {
    switch service {
    case .location: .location
    case .payment: .payment
    case .cloudKit, .push, .authentication, .analytics: .cloudKit
    }
  }
}

public enum BreakerState: String, Hashable, Sendable { case closed, open, halfOpen }

/// Where the app found what it showed without asking the backend (§7.7, MS-129).
public enum CacheLevel: String, Hashable, Sendable { case memory, store, nowhere }

/// How soon a write is synchronised (MS-128); requests have the same order.
public enum SyncPriority: Int, Hashable, Sendable, Comparable, CaseIterable {
  case low, medium, high

  public static func < (a: SyncPriority, b: SyncPriority) -> Bool { a.rawValue < b.rawValue }
}

/// What may wait for the network (§7.7), and the updates of low and medium priority that MS-128 adds.
public enum QueuedKind: String, Hashable, Sendable, CaseIterable {
  case createOrder, updateOrderStatus, saveUserProfile, saveDriverLocation, saveDeliveryCompletion
  case updateProduct, saveRating

  /// MS-128: orders, payments, positions; profiles, product availability; analytics, ratings, images.
  public var priority: SyncPriority {
    switch self {
    case .createOrder, .updateOrderStatus, .saveDriverLocation, .saveDeliveryCompletion: .high
    case .saveUserProfile, .updateProduct: .medium
    case .saveRating: .low
    }
  }
}

/// A write that waits for the network.
public struct QueuedWrite: Hashable, Sendable {
  /// Counts the writes of one installation that had to wait.
  public let number: Int
  public let kind: QueuedKind
  public let database: String
  /// Updates carry no tag yet: it is read when they are sent.
  public let items: [Modification.Item]
  /// The records that it writes, in the order of its items.
  public let records: [RecordName]

  public init(_ number: Int, _ kind: QueuedKind, database: String, _ items: [Modification.Item]) {
    (self.number, self.kind, self.database, self.items) = (number, kind, database, items)
    records = items.compactMap(\.record.name)
  }
}

/// What went wrong with a request, as the app sees it (§7.1).
public enum AppError: Hashable, Sendable {
  case networkUnavailable, networkFailure, responseLost
  case answered(Failure.Native)

  /// The native name: `CKErrorZoneBusy`.
  public var name: String {
    switch self {
    case .networkUnavailable: "CKErrorNetworkUnavailable"
    case .networkFailure: "CKErrorNetworkFailure"
    case .responseLost: "CKErrorServerResponseLost"
    case .answered(let native): native.name
    }
  }
}

/// What a client does about an error (§7.1, "Client handling").
public enum ErrorHandling: String, Hashable, Sendable, CaseIterable {
  /// Switch to offline mode, queue writes, read from the cache.
  case goOffline
  /// Authenticate again, then repeat once.
  case authenticate
  /// No further uploads; reads continue; the user is told.
  case stopUploads
  /// Wait, at least as long as the backend asks, and retry.
  case retry
  /// Merge (§7.3), then save again with the server's tag.
  case resolve
  /// Split the batch in half and send both; give up what cannot be split.
  case split
  /// Repair the culprit, send the batch again.
  case repair
  case tellUser
  /// Treat it as "none".
  case treatAsNone
  /// A programming or configuration error, or an app that is too old: nothing to do at run time.
  case giveUp
  case reloadReferences
  /// Drop the cache, fetch everything without a token.
  case fetchEverything
  case uploadAgain
  /// Look up the state first, repeat only if needed.
  case lookUpFirst
}

/// How a conflict ended (§7.3).
public enum ConflictEnd: String, Hashable, Sendable {
  /// The merged copy was saved.
  case merged
  /// Nothing of the local copy was left to save.
  case serverWon
  /// The third round met a conflict again: it is reported.
  case reported
  /// The save failed for another reason.
  case refused
}
