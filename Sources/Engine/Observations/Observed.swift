import Contracts
import Timekeeping

/// A contract whose records are judged: how its checks look at what the harness saw.
///
/// A domain says so in its module of checks (`extension Canteen: Observed`). What several checks would derive from
/// one call stands in a view of it, which is made once a record, when the first of them asks.
public protocol Observed: ServiceContract {
  /// A call as checks look at it; the call itself, unless the domain has a view of its own.
  associatedtype Asked: CallView = Call<Self> where Asked.Contract == Self
  /// A command of the operator as checks look at it.
  associatedtype Command = Request
  /// What inspections have shown of a cell up to the last one: an inspection need not show again what has not changed.
  associatedtype Shown = Reply

  /// The command in a request; `nil` in any other.
  static func command(in request: Request) -> Command?
  /// Takes what an inspection shows into what earlier ones have shown of the cell, once for all who look at it.
  /// - Returns: `nil` for any other reply.
  static func shown(in reply: Reply, at moment: Moment, after last: Shown?) -> Shown?
}

extension Observed where Command == Request {
  public static func command(in request: Request) -> Command? { request }
}

extension Observed where Shown == Reply {
  public static func shown(in reply: Reply, at moment: Moment, after last: Shown?) -> Shown? {
    reply
  }
}

extension Observed {
  /// The view that a visit was handed; `nil` while another kind of record is at hand.
  static func asked(in view: AnyObject?) -> Asked? {
    view.map { unsafeDowncast($0, to: Asked.self) }
  }
}

/// What checks derive from one call.
public protocol CallView<Contract>: AnyObject {
  associatedtype Contract: ServiceContract
  static func of(_ call: Call<Contract>, at moment: Moment) -> Self
}

extension Call: CallView {
  public static func of(_ call: Call, at moment: Moment) -> Call { call }
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

  init<Contract: ServiceContract>(_ record: Record<Contract>) {
    self.init(time: record.time, person: record.person, cell: record.cell)
  }
}

/// What checks look at of a command or an inspection, made when the first of them does.
final class Views<Contract: Observed> {
  private var turn = 0
  /// By cell.
  private var inspected: [Int: Contract.Shown] = [:]

  /// The command that was carried out, if the record is one.
  func command(at sight: Sight<Contract>) -> Contract.Command? {
    guard let (request, outcome) = sight.control, outcome.isReplied else { return nil }
    return Contract.command(in: request)
  }

  /// What inspections have shown with the record at hand, if it is one.
  func shown(at sight: Sight<Contract>) -> Contract.Shown? {
    guard let reply = sight.inspection else { return nil }
    let cell = sight.moment.cell
    if turn != sight.turn {
      turn = sight.turn
      inspected[cell] = Contract.shown(in: reply, at: sight.moment, after: inspected[cell])
    }
    return inspected[cell]
  }
}

extension Library where Contract: Observed {
  var views: Views<Contract> { only { Views() } }

  /// What inspections have shown of a cell with the record at hand; `nil` if that is none.
  public var shown: Contract.Shown? { views.shown(at: sight) }

  /// Somebody will look at calls: from now on each has its view.
  func look() { viewing = { Contract.Asked.of($0, at: $1) } }
}
