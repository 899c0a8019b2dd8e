import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// Judges what one installation of the app did: its notes, and the requests of its device.
protocol AppWatch: Sendable {
  mutating func see(_ note: AppNote, at time: Instant, _ judge: inout Judge)
  mutating func see(_ exchange: MSExchange, _ judge: inout Judge)
}

extension AppWatch {
  mutating func see(_ note: AppNote, at time: Instant, _ judge: inout Judge) {}
  mutating func see(_ exchange: MSExchange, _ judge: inout Judge) {}
}

/// The records of a person that belong to the app on its device; people without an app are nobody's business here.
private struct OfApp<Watch: AppWatch>: FormerHistory {
  typealias Agreement = MimiSupply
  var watch: Watch
  /// Whose device the app runs on, once a process of it began.
  private var device: String?
  private var isJudged = false

  init(_ watch: Watch) { self.watch = watch }

  mutating func see(_ record: MSRecord, _ judge: inout Judge) {
    switch record.event {
    case .note(.app(let note)):
      if case .started(let device, let keepsBudget) = note {
        self.device = device
        // Who attacks on purpose keeps no rule of the app.
        isJudged = keepsBudget
      }
      if isJudged { watch.see(note, at: record.time, &judge) }
    case .request(let exchange):
      guard isJudged, exchange.credential?.deviceID == device else { return }
      // Long polls and files have addresses of their own, which no rule of the app's requests concerns.
      guard !exchange.isItsOwnAddress else { return }
      watch.see(exchange, &judge)
    default: break
    }
  }
}

extension Check<MimiSupply> {
  /// Judges each installation of the app by itself.
  static func byApp<Watch: AppWatch>(
    _ limit: LimitID, _ operations: Set<Concern> = .anything,
    _ start: @escaping @Sendable () -> Watch
  ) -> MSCheck {
    .byPerson(limit, operations.union([.notes])) { OfApp(start()) }
  }
}

extension Exchange<MimiSupply> {
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
    case .unsent(.connectionRefused): .networkFailure
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
