import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// Retries and the handling of errors, by the logs of requests: §7.1, §7.2.
enum ClientRetryChecks {
  static let all: [MSCheck] = [
    .byApp(.ms119) { RetryWatch() },
    .byApp(.ms120) { ErrorWatch() },
  ]

  /// The table of §7.1, column "Client handling".
  static func documented(_ error: AppError) -> Set<ErrorHandling> {
    switch error {
    case .networkUnavailable: [.goOffline]
    case .networkFailure: [.retry, .goOffline]
    case .responseLost: [.lookUpFirst]
    case .answered(let native): documented(native)
    }
  }

  private static func documented(_ native: Failure.Native) -> Set<ErrorHandling> {
    switch native {
    case .notAuthenticated: [.authenticate]
    case .quotaExceeded: [.stopUploads]
    case .zoneBusy, .serviceUnavailable, .requestRateLimited, .internalError: [.retry]
    case .serverRecordChanged: [.resolve]
    case .limitExceeded: [.split, .giveUp]
    case .batchRequestFailed: [.repair]
    case .permissionFailure, .constraintViolation: [.tellUser]
    case .unknownItem, .zoneNotFound: [.treatAsNone]
    case .referenceViolation: [.reloadReferences]
    case .changeTokenExpired: [.fetchEverything]
    case .assetFileNotFound: [.uploadAgain]
    case .invalidArguments, .badContainer, .badDatabase, .incompatibleVersion: [.giveUp]
    }
  }
}

/// A request that failed, while its retry may still come.
private struct FailedTry {
  let call: SeenCall
  let error: AppError
}

/// The latest failures of one app, the oldest first.
private struct FailedTries {
  private static let most = 16
  private var tries: [FailedTry] = []

  mutating func add(_ call: SeenCall) {
    guard let error = call.appError else { return }
    tries.append(FailedTry(call: call, error: error))
    if tries.count > Self.most { tries.removeFirst() }
  }

  /// The try before a retry.
  func before(_ call: SeenCall) -> FailedTry? {
    tries.last {
      $0.call.attempt == call.attempt - 1 && $0.call.request == call.request
        && $0.call.answered <= call.sent
    }
  }
}

/// MS-119: three tries at most, each after its wait, none before the backend wants it.
private struct RetryWatch: AppWatch {
  /// What may come on top: the longest pause of the rate budget, and the patience with the network.
  private static let delays = Span.seconds(120)
  private var failed = FailedTries()

  mutating func see(_ call: SeenCall, _ judge: inout Judge) {
    defer { failed.add(call) }
    guard call.attempt > 1 else { return }
    let before = failed.before(call)
    // After a new sign-in, one of them, the request is repeated at once, whatever was tried before (§7.1).
    let isSignedIn = before?.error == .answered(.notAuthenticated)
    guard call.attempt <= (isSignedIn ? 4 : 3) else {
      return judge.violated("try \(call.attempt) of one request")
    }
    guard let before else {
      return judge.violated("try \(call.attempt) follows no failed try \(call.attempt - 1)")
    }
    guard !isSignedIn else { return judge.held() }
    let window = min(.seconds(30), Span.seconds(1) * (1 << Int64(call.attempt - 2)))
    let asked = before.call.failure?.retryAfter ?? .zero
    let waited = call.sent - before.call.answered
    let least = max(window / 2, asked)
    // The published client's own waits are up to a minute.
    let most = max(window, asked, .seconds(60)) + Self.delays
    judge.expect(
      waited >= least && waited <= most,
      "try \(call.attempt) came after \(waited), not within \(least) and \(most)")
  }
}

/// MS-120: what the app says that it does about an error is what the table says, and no log speaks against it.
private struct ErrorWatch: AppWatch {
  /// Errors that the app has not yet said anything about.
  private var open: [(error: AppError, at: Instant)] = []
  private var failed = FailedTries()
  /// Since when there is no room for uploads.
  private var isFull: Instant?

  mutating func see(_ note: AppNote, at time: Instant, _ judge: inout Judge) {
    expire(at: time, &judge)
    switch note {
    case .started: isFull = nil
    case .handled(let error, let handling):
      if let index = open.firstIndex(where: { $0.error == error }) { open.remove(at: index) }
      judge.expect(
        ClientRetryChecks.documented(error).contains(handling),
        "\(error.name) was answered by \(handling.rawValue)")
      if handling == .stopUploads { isFull = time }
    default: break
    }
  }

  mutating func see(_ call: SeenCall, _ judge: inout Judge) {
    expire(at: call.sent, &judge)
    if let error = call.appError { open.append((error, call.answered)) }
    if call.attempt > 1, let before = failed.before(call) {
      let handling = ClientRetryChecks.documented(before.error)
      judge.expect(
        !handling.isDisjoint(with: [.retry, .lookUpFirst, .authenticate]),
        "\(before.error.name) was answered by a retry")
    }
    if case .requestUploads = call.request, let isFull, call.sent > isFull {
      judge.violated("an upload was begun after the quota was exceeded")
    }
    failed.add(call)
  }

  /// The app handles an error when it hears of it, not later.
  private mutating func expire(at time: Instant, _ judge: inout Judge) {
    open.removeAll { late in
      guard late.at + .seconds(1) < time else { return false }
      judge.violated("nothing was done about \(late.error.name)")
      return true
    }
  }
}
