import Contracts
import Timekeeping

/// A contract whose records are judged: how its checks look at what the harness saw.
///
/// A domain says so in its module of checks (`extension KantineKoning: Observed`). What several checks would derive from
/// one exchange stands in a view of it, which is made once a record, when the first of them asks.
public protocol Observed: Contract {
  /// An exchange as checks look at it; the exchange itself, unless the domain has a view of its own.
  associatedtype Asked: ExchangeView = Exchange<Self> where Asked.Agreement == Self
  /// A command of the operator, and what inspection shows, as checks look at them.
  associatedtype Command = Request
  associatedtype Shown = Reply

  /// The command in a request; `nil` in any other.
  static func command(in request: Request) -> Command?
  /// The twin's state in a reply; `nil` in any other.
  static func shown(in reply: Reply) -> Shown?
}

extension Observed where Command == Request {
  public static func command(in request: Request) -> Command? { request }
}

extension Observed where Shown == Reply {
  public static func shown(in reply: Reply) -> Shown? { reply }
}

/// What checks derive from one exchange.
public protocol ExchangeView<Agreement>: AnyObject {
  associatedtype Agreement: Contract
  static func of(_ exchange: Exchange<Agreement>, at moment: Moment) -> Self
}

extension Exchange: ExchangeView {
  public static func of(_ exchange: Exchange, at moment: Moment) -> Exchange { exchange }
}

/// When and by whom something was seen.
public struct Moment: Hashable, Sendable {
  /// For a request, when its outcome was known.
  public let time: Instant
  /// `nil` for control and inspection.
  public let person: PersonID?
  public let cell: Int

  public init(time: Instant, person: PersonID?, cell: Int) {
    self.time = time
    self.person = person
    self.cell = cell
  }

  init<Agreement: Contract>(_ record: Record<Agreement>) {
    self.init(time: record.time, person: record.person, cell: record.cell)
  }
}

extension Record where Agreement: Observed {
  /// The command that was carried out, if it is one.
  var command: Agreement.Command? {
    guard case .control(let request, .replied) = event else { return nil }
    return Agreement.command(in: request)
  }

  /// What inspection showed, if it was one.
  var shown: Agreement.Shown? {
    guard case .inspection(let reply) = event else { return nil }
    return Agreement.shown(in: reply)
  }
}

/// The view of the exchange at hand, made when the first check of a record looks at it.
final class Views<Agreement: Observed> {
  private var last: Exchange<Agreement>?
  private var view: Agreement.Asked?

  func view(of exchange: Exchange<Agreement>, at moment: Moment) -> Agreement.Asked {
    if let view, last === exchange { return view }
    let view = Agreement.Asked.of(exchange, at: moment)
    last = exchange
    self.view = view
    return view
  }
}

extension Library where Agreement: Observed {
  var views: Views<Agreement> { only { Views() } }
}
