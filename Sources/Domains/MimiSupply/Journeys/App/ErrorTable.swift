import Contracts
import MimiSupplyContract

/// The error table of §7.1: what went wrong with a request, and what the app does about it.
enum ErrorTable {
  /// What an outcome says; `nil` where all went well.
  static func error(of outcome: Outcome<MimiSupply>) -> AppError? {
    switch outcome {
    case .replied: nil
    case .refused(let refusal): .answered(refusal.failure.native)
    case .unsent(.offline): .networkUnavailable
    case .unsent: .networkFailure
    case .unknown(.serverError): .answered(.internalError)
    case .unknown(.connectionReset): .networkFailure
    case .unknown: .responseLost
    }
  }

  /// - Parameter isWholeBatch: Whether it concerns a batch that can be split.
  static func handling(of error: AppError, isWholeBatch: Bool) -> ErrorHandling {
    switch error {
    case .networkUnavailable: .goOffline
    case .networkFailure: .retry
    case .responseLost: .lookUpFirst
    case .answered(let native): handling(of: native, isWholeBatch: isWholeBatch)
    }
  }

  private static func handling(of native: Failure.Native, isWholeBatch: Bool) -> ErrorHandling {
    switch native {
    case .notAuthenticated: .authenticate
    case .quotaExceeded: .stopUploads
    case .zoneBusy, .requestRateLimited, .serviceUnavailable, .internalError: .retry
    case .serverRecordChanged: .resolve
    case .limitExceeded: isWholeBatch ? .split : .giveUp
    case .batchRequestFailed: .repair
    case .permissionFailure, .constraintViolation: .tellUser
    case .unknownItem, .zoneNotFound: .treatAsNone
    case .referenceViolation: .reloadReferences
    case .changeTokenExpired: .fetchEverything
    case .assetFileNotFound: .uploadAgain
    case .invalidArguments, .badContainer, .badDatabase, .incompatibleVersion: .giveUp
    }
  }
}

extension MimiSupply.Request {
  /// Whether asking twice does what asking once does, so that a lost answer needs no look at the state.
  var isRead: Bool {
    switch self {
    case .query, .lookup, .changes, .listZones, .lookupZones, .changedZones, .listSubscriptions,
      .lookupSubscriptions, .currentUser, .exportAccount, .partnerStats, .registerToken:
      true
    default: false
    }
  }

  /// Addresses that are their own credential: long polls and files; no budget counts them (MS-01).
  var isItsOwnAddress: Bool {
    switch self {
    case .poll, .upload, .download: true
    default: false
    }
  }

  var items: [Modification.Item] {
    if case .modify(_, let asked) = self { asked.items } else { [] }
  }
}
