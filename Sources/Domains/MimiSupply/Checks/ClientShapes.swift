import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// Judges what one installation of the app did: its notes, and the requests of its device.
protocol AppWatch: SendableMetatype {
  mutating func see(_ note: AppNote, at time: Instant, _ judge: inout Judge)
  mutating func see(_ call: SeenCall, _ judge: inout Judge)
}

extension AppWatch {
  mutating func see(_ note: AppNote, at time: Instant, _ judge: inout Judge) {}
  mutating func see(_ call: SeenCall, _ judge: inout Judge) {}
}

/// Whose device a person's app runs on, once a process of it began.
final class AppOnDevice: Facts {
  static let scope = Scope<MimiSupply>.person
  static let concerns: Set<Concern> = [.notes]

  private var device: DeviceName?
  private(set) var isJudged = false

  init(_ subject: Subject<Nothing<MimiSupply>>) {}

  func noted(_ note: MimiSupply.Note, at moment: Moment) {
    guard case .app(.started(let device, let keepsBudget)) = note else { return }
    self.device = device
    // Who attacks on purpose keeps no rule of the app.
    isJudged = keepsBudget
  }

  /// Whether the app sent a request, under its rules: long polls and files have addresses of their own, which none of them
  /// concerns.
  func sent(_ call: SeenCall) -> Bool {
    if let known = call.isOfApp { return known }
    let isOfApp =
      isJudged && call.credential?.deviceID == device && !call.isItsOwnAddress
    call.isOfApp = isOfApp
    return isOfApp
  }
}

/// The records of a person that belong to the app on its device; people without an app are nobody's business here.
private struct OfApp<Watch: AppWatch>: History {
  static var scope: Scope<MimiSupply> { .person }
  static var standpoint: Standpoint { .after }

  var watch: Watch
  let app: AppOnDevice

  mutating func noted(_ note: MimiSupply.Note, at moment: Moment, _ judge: inout Judge) {
    if case .app(let note) = note, app.isJudged { watch.see(note, at: moment.time, &judge) }
  }

  mutating func asked(_ call: SeenCall, at moment: Moment, _ judge: inout Judge) {
    if app.sent(call) { watch.see(call, &judge) }
  }
}

extension Check<MimiSupply> {
  /// Judges each installation of the app by itself.
  static func byApp<Watch: AppWatch>(
    _ limit: MimiSupply.Rule, _ operations: Set<Concern> = .anything,
    _ start: @escaping @Sendable () -> Watch
  ) -> MSCheck {
    .history(limit, operations.union([.notes]), by: AppOnDevice.self) { app in
      OfApp(watch: start(), app: app)
    }
  }
}

extension Check<MimiSupply> {
  /// The same in the light of facts that know the app themselves.
  static func byApp<Watch: AppWatch, Known: Facts<MimiSupply>>(
    _ limit: MimiSupply.Rule, _ operations: Set<Concern> = .anything, by known: Known.Type,
    _ start: @escaping @Sendable (Known) -> Watch
  ) -> MSCheck {
    .history(limit, operations.union([.notes]), by: Both<AppOnDevice, Known>.self) { known in
      OfApp(watch: start(known.second), app: known.first)
    }
  }
}

extension SeenCall {
  var isItsOwnAddress: Bool {
    switch request {
    case .poll, .upload, .download: true
    default: false
    }
  }

  /// What went wrong with the whole request; `nil` where it was replied, or never known because the run ended.
  var appError: AppError? {
    switch outcome {
    case .replied, .unknown(.runEnded): nil
    case .refused(let refusal): .answered(refusal.failure.native)
    case .unsent(.offline): .networkUnavailable
    case .unsent: .networkFailure
    case .unknown(.connectionReset): .networkFailure
    case .unknown(.serverError): .answered(.internalError)
    case .unknown: .responseLost
    }
  }

  /// Whether the service behind it did its work.
  var isWell: Bool {
    guard let error = appError else { return true }
    switch error {
    case .answered(.zoneBusy), .answered(.serviceUnavailable), .answered(.internalError),
      .answered(.requestRateLimited), .networkUnavailable, .networkFailure, .responseLost:
      return false
    case .answered: return true
    }
  }

  var sentItems: [Modification.Item] {
    if case .modify(_, let asked) = request { asked.items } else { [] }
  }
}
