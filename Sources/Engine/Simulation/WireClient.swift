import Contracts
import Observations
import Timekeeping

/// Carries requests to servers and brings their answers; one thread at a time uses it.
public protocol WireClient: AnyObject {
  /// Sends a request without waiting.
  ///
  /// - Parameters:
  ///   - domain: Whose server it goes to.
  ///   - person: Whose request it is, as the world counts its people; `nil` for the operator's and the harness's own.
  ///   - purpose: What it counts as.
  ///   - timeOut: How long its client waits, in real time.
  ///   - onEnd: Told once what came of it, from within `rest`.
  func send(
    _ request: WireRequest, of domain: String, as person: PersonID?,
    for purpose: RequestTally.Purpose,
    timeOut: Span, onEnd: @escaping (WireEnding) -> Void)

  /// Waits until the monotonic clock shows so many nanoseconds, or something came, and tells what did.
  func rest(until nanoseconds: UInt64)

  /// Gives up what is under way. - Returns: What was sent in all.
  func end() -> WireTraffic
}

/// How a request over a wire ended.
public struct WireEnding: Sendable {
  public enum Answer: Sendable {
    case response(WireResponse)
    /// Nobody was reached, so that it certainly did not happen.
    case unreached(UnsentCause, String)
    /// An answer came not at all, not whole, or as something that nobody can read.
    case lost(UnknownCause)
  }

  public let answer: Answer
  /// When it was over, on the monotonic clock in nanoseconds.
  public let nanoseconds: UInt64

  public init(_ answer: Answer, at nanoseconds: UInt64) {
    self.answer = answer
    self.nanoseconds = nanoseconds
  }
}

/// Why a server cannot be a scenario's target.
public enum TargetProblem: Error, Hashable, Sendable {
  /// Nobody answers there.
  case unreachable(String)
  /// It answers, and cannot be made ready.
  case unsuitable(String)

  public var words: String {
    switch self {
    case .unreachable(let words), .unsuitable(let words): words
    }
  }
}

/// The servers of a run: which domains they are of, and how to reach them.
public struct WireTargets: Sendable {
  public enum Kind: Hashable, Sendable {
    /// A served twin with its control plane: it is emptied and loaded, tells its signals and shows its state.
    case twin
    /// A server that was not started for the run. `isPrepared` says whether it holds the scenario's population; some of the
    /// contract's services may be the twin's in process.
    case foreign(isPrepared: Bool, twinServices: Set<Int> = [])
  }

  /// One of several generators that live a run together, and when they begin.
  public struct Division: Sendable {
    public let share: Share
    /// By the clock that everybody has.
    public let starts: Instant

    public init(_ share: Share, starts: Instant) { (self.share, self.starts) = (share, starts) }
  }

  let kinds: [String: Kind]
  /// `nil` where one generator lives all of it.
  let division: Division?
  /// Whether a request of a person waits until the one before it is over.
  let isOneAtATime: Bool
  /// What everybody's clock shows.
  let realTime: @Sendable () -> Instant
  /// Makes a client; each worker gets one of its own.
  let connect: @Sendable () throws(TargetProblem) -> any WireClient

  /// - Parameter kinds: By domain.
  public init(
    _ kinds: [String: Kind], division: Division? = nil, isOneAtATime: Bool = false,
    realTime: @escaping @Sendable () -> Instant,
    connect: @escaping @Sendable () throws(TargetProblem) -> any WireClient
  ) {
    self.kinds = kinds
    self.division = division
    self.isOneAtATime = isOneAtATime
    self.realTime = realTime
    self.connect = connect
  }

  /// The servers of a divided run begin when all generators do.
  func divided(_ step: Preparation) -> Preparation {
    guard let division, case .reset = step else { return step }
    return .reset(startsIn: max(.zero, division.starts - realTime()))
  }

  /// How far a server's clock may be from where the run begins: as long as its population takes to load.
  static let longestLoading = Span.minutes(2)

  /// - Parameter starts: When the scenario begins; a foreign server lives in everybody's time, whatever the scenario says.
  func server(of domain: String, _ starts: Instant, _ client: any WireClient) -> WireServer? {
    kinds[domain].map { kind in
      let now = division?.starts ?? realTime()
      return WireServer(
        client: client, kind: kind,
        isTimely: kind == .twin || (starts..<starts + Self.longestLoading).contains(now),
        share: division?.share ?? .whole, isOneAtATime: isOneAtATime)
    }
  }
}

/// A region's server.
struct WireServer {
  let client: any WireClient
  let kind: WireTargets.Kind
  /// Whether its clock shows the run's time, so that what it says about time can be judged.
  let isTimely: Bool
  /// Which of the region's people live here, and not in another generator.
  let share: Share
  let isOneAtATime: Bool

  /// Services of the contract that the twin in process gives.
  var twinServices: Set<Int> {
    if case .foreign(_, let services) = kind { services } else { [] }
  }

  var isTwin: Bool { kind == .twin }
  /// Whether this generator makes the server ready, does what the operator does, and looks at the server's state.
  var isOperator: Bool { share.number == 1 }
  /// Whether what the operator loads, or has loaded, is known.
  var isLoaded: Bool {
    if case .foreign(let isPrepared, _) = kind { isPrepared } else { true }
  }
}

extension WireServer? {
  /// Which of a region's people live in this generator.
  var share: Share { self?.share ?? .whole }
}
