import Contracts
import Timekeeping

/// Keeps one twin for whoever drives it: its timer, and the tickets that it gave with the clients who wait for their answers.
///
/// It knows no timeline, no wire and no other cell: who drives it says what time it is, and spreads what it is told follows. As
/// a value it can be copied with everything in it, and locked by itself.
public struct TwinHost<Model: Twin, Client> {
  public typealias Contract = Model.Contract

  fileprivate struct Waiting {
    let client: Client
    let deadline: Instant
    /// Counts those who ever waited, so that they are told in the order in which they came.
    let number: Int
  }

  /// Answers requests by itself.
  public var twin: Model
  /// The earliest instant for which a ring was asked and has not come.
  private var alarm: Instant?
  private var waiting: [Ticket: Waiting] = [:]
  private var cameToWait = 0

  public init(_ twin: Model) { self.twin = twin }

  // MARK: - Time

  /// When the twin has something to do by itself.
  public var nextDue: Instant? { twin.nextDue }

  /// Lets happen what is due by an instant; `nil` when nothing is.
  public mutating func advance(to now: Instant) -> Effects<Contract>? {
    guard let due = twin.nextDue, due <= now else { return nil }
    let effects = twin.advance(to: now)
    if let due = twin.nextDue, due <= now {
      programFault(
        "\(Contract.domain): after advance(to: \(now)) the twin's nextDue is still \(due); it would be told for ever"
      )
    }
    return effects
  }

  /// When to ring, where that is earlier than every ring asked for and still to come; one asked for earlier rings in vain.
  public mutating func wind(at now: Instant) -> Instant? {
    guard let due = twin.nextDue, due < alarm ?? .distantFuture else { return nil }
    alarm = due
    return max(due, now)
  }

  /// A ring that was asked for has come.
  ///
  /// - Returns: What happened; `nil` when nothing was due, and it has to be wound again.
  public mutating func ring(at now: Instant) -> Effects<Contract>? {
    alarm = nil
    return advance(to: now)
  }

  // MARK: - Tickets

  /// A client waits for the answer to a ticket, as long as its patience lasts.
  public mutating func keep(_ client: Client, for ticket: Ticket, until deadline: Instant) {
    waiting[ticket] = Waiting(client: client, deadline: deadline, number: cameToWait)
    cameToWait += 1
  }

  public func isWaiting(for ticket: Ticket) -> Bool { waiting[ticket] != nil }

  /// Who waits for a ticket that is answered now; `nil` when nobody does any more. A ticket is answered once.
  public mutating func complete(_ ticket: Ticket) -> Client? {
    waiting.removeValue(forKey: ticket)?.client
  }

  /// Nobody waits for a ticket's answer any more, or ever did.
  public mutating func abandon(_ ticket: Ticket) {
    waiting[ticket] = nil
    twin.abandon(ticket)
  }

  /// When the first client loses its patience.
  public var nextDeadline: Instant? { waiting.values.lazy.map(\.deadline).min() }

  /// Abandons the tickets whose clients have lost their patience by an instant, in the order in which these came.
  public mutating func expire(at now: Instant) -> [(ticket: Ticket, client: Client)] {
    let expired = inOrder.filter { $0.value.deadline <= now }
    for (ticket, _) in expired { abandon(ticket) }
    return expired.map { ($0.key, $0.value.client) }
  }

  /// Everybody who waits, in the order in which they came.
  public var clients: [(ticket: Ticket, client: Client)] {
    inOrder.map { ($0.key, $0.value.client) }
  }

  private var inOrder: [(key: Ticket, value: Waiting)] {
    waiting.sorted { $0.value.number < $1.value.number }
  }

  // MARK: - Other cells

  /// What other cells may know of this one from now on.
  public func publication(at now: Instant) -> Model.Publication? { twin.publication(at: now) }

  /// Takes in what all cells published, its own among them.
  public mutating func read(_ publications: [Model.Publication]) { twin.read(publications) }
}

extension TwinHost: Sendable where Client: Sendable {}
extension TwinHost.Waiting: Sendable where Client: Sendable {}
