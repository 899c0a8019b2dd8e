import Contracts
import KilwinningContract
import Observations
import Timekeeping

extension Kilwinning: Observed {
  public typealias Shown = Inspected

  public static func shown(
    in reply: Reply, at moment: Moment, after last: Inspected?
  ) -> Inspected? {
    guard case .inspection(let inspection) = reply else { return nil }
    let shown = last ?? Inspected()
    shown.take(inspection, at: moment.time)
    return shown
  }
}

typealias KWCall = Call<Kilwinning>
typealias KWCheck = Check<Kilwinning>
typealias Code = Kilwinning.RefusalKind

extension Set<Concern> {
  static let requests = Set(Kilwinning.operations.indices.map { Concern.operation($0) })
  /// What plans tornate and changes them.
  static let management = asking(
    Kilwinning.createTornata, Kilwinning.updateTornata, Kilwinning.deleteTornata)
  /// What administrators alone may ask for.
  static let administration = management.union(
    asking(Kilwinning.updateFratello, Kilwinning.exportRiepilogo))
  /// What is asked for an anno.
  static let readsOfAnAnno = asking(
    Kilwinning.presenze, Kilwinning.statistiche, Kilwinning.riepilogo, Kilwinning.exportRiepilogo,
    Kilwinning.tornate)
  /// What is answered with fratelli.
  static let showFratelli = asking(
    Kilwinning.fratelli, Kilwinning.logIn, Kilwinning.me, Kilwinning.updateFratello)

  static func asking(_ endpoints: Endpoint<Kilwinning>...) -> Self {
    Set(endpoints.map { .asks($0) })
  }
}

/// A request that the backend answered, once everything that may have worked meanwhile is known.
final class Reading {
  let call: KWCall
  let moment: Moment
  let lodge: LodgeFacts
  let during: ClosedRange<Instant>
  let code: Code?
  /// What was to be changed, as it certainly was before.
  let before: Before?
  /// What was known of a write's key.
  let key: KeyBook.State
  /// Who asked, as far as it is certain.
  private(set) lazy var caller = lodge.caller(of: call)
  /// What was asked and shown beside what had to be, found once for all checks.
  private(set) lazy var login = foundLogin
  private(set) lazy var presenze = foundPresenze
  private(set) lazy var tornate = foundTornate
  private(set) lazy var statistiche = foundStatistiche
  private(set) lazy var fratelli = foundFratelli
  /// What it had to come to (§3.3).
  private(set) lazy var due = foundDue
  /// What lies behind the statistics that were shown.
  private(set) lazy var behind = foundBehind
  /// Whether just what had to be was shown, in its order: then nothing has to be looked up.
  private(set) lazy var arePresenzeDue = foundArePresenzeDue
  private(set) lazy var areTornateDue =
    tornate.map { lodge.tables.areSame($0.shown, $0.due, $0.query.selection) } ?? false
  private(set) lazy var areFratelliDue =
    fratelli.map { lodge.tables.areSame($0.shown, $0.due) } ?? false

  enum Before {
    case tornata(Tornata?)
    case fratello(Fratello?)
    /// The session that is verified had expired, as far as was known when it was answered.
    case expired(Session)
  }

  init(
    _ call: KWCall, at moment: Moment, in lodge: LodgeFacts, before: Before?, key: KeyBook.State
  ) {
    (self.call, self.moment, self.lodge) = (call, moment, lodge)
    (self.before, self.key) = (before, key)
    during = call.during
    code = call.outcome.refusal?.kind
  }

  /// Whether nobody else may have changed the same meanwhile.
  private(set) lazy var isUndisturbed = lodge.isUndisturbed(call)
  /// The tornata that was to be changed; `.some(nil)` when there certainly was none.
  var tornataBefore: Tornata?? {
    if case .tornata(let it)? = before, isUndisturbed { .some(it) } else { nil }
  }
  var fratelloBefore: Fratello?? {
    if case .fratello(let it)? = before, isUndisturbed { .some(it) } else { nil }
  }

  /// Whether a verification was asked of a session that had expired, whatever it came to.
  var wasExpired: Bool {
    guard case .expired(let session) = before else { return false }
    return !session.wasVerified(within: (sent - Session.lifetime)...answered, besides: during)
  }

  var request: Kilwinning.Request { call.request }
  var reply: Kilwinning.Reply? { call.outcome.reply }
  var isReplied: Bool { call.isReplied }
  var sent: Instant { call.sent }
  /// By the client's own clock: what the client keeps is judged by it.
  var intended: Instant { call.intended }
  var answered: Instant { call.answered }
  var isUnauthenticated: Bool { call.outcome.refusal?.kind.status == 401 }

  /// Whose session it certainly is, while it is certainly valid.
  private(set) lazy var live: Session? =
    if case .live(let session) = caller { session } else { nil }

  /// Whether whoever asks certainly has the right of an administrator.
  private(set) lazy var hasRight: Bool? = live.flatMap { lodge.isAdmin($0.owner, during: during) }

  // MARK: What was asked

  /// The anno of a request that has one.
  var anno: Anno? {
    switch request {
    case .presenze(let it), .statistiche(let it): it.anno
    case .riepilogo(let it), .exportRiepilogo(let it): it
    case .tornate(let it): it.anno
    default: nil
    }
  }

  /// What is wrong with a member of a request that could not be read, and of which operation.
  var fault: (operation: String, fault: Unread.Fault)? {
    switch request {
    case .unread(.malformed(let operation, let fault)):
      (Kilwinning.operations[operation].name, fault)
    case .updateTornata(let it): it.change.fault.map { ("updateTornata", $0) }
    case .updateFratello(let it): it.change.fault.map { ("updateFratello", $0) }
    default: nil
    }
  }

  var isFrameBroken: Bool { request.isFrameBroken }

  enum Access { case open, session, administrator }

  private(set) lazy var access = foundAccess

  private var foundAccess: Access {
    if isFrameBroken { return .open }
    return switch operationName {
    case "welcome", "fratelli", "logIn": .open
    case "updateFratello", "createTornata", "updateTornata", "deleteTornata", "exportRiepilogo":
      .administrator
    default: .session
    }
  }

  /// The fratelli that an answer shows.
  var shownFratelli: [Fratello] {
    switch reply {
    case .fratelli(let all): all.items
    case .loggedIn(let login): [login.user]
    case .fratello(let one): [one]
    default: []
    }
  }
}

extension KWCall {
  /// When it worked, if it did; without an answer within a minute, longer by what a fault of the scenario held it back, or not at all.
  var acting: ClosedRange<Instant> {
    sent...(isUnknown ? answered + .minutes(1) + met.delay : answered)
  }
}

extension Kilwinning.Request {
  /// Whether its frame was already wrong, which is said before anything else (§3.3).
  var isFrameBroken: Bool {
    guard case .unread(let unread) = self else { return false }
    switch unread {
    case .unrouted: return true
    case .malformed(_, let fault):
      if case .member = fault.kind { return false } else { return true }
    }
  }
}

extension Result where Failure == Unread.Fault {
  var fault: Unread.Fault? { if case .failure(let fault) = self { fault } else { nil } }
}

extension Check<Kilwinning> {
  /// Judges each request that was answered and not turned away by a limit, by what was certainly so throughout it.
  /// - Parameter operations: Whose requests it is about, those that could not be read among them; `nil`: all.
  static func reading(
    _ rule: Kilwinning.Rule, _ operations: Set<Concern>? = nil,
    _ body: @escaping @Sendable (Reading, inout Judge) -> Void
  ) -> KWCheck {
    .ripe(rule, of: LodgeFacts.self, sorts: operations.map(LodgeFacts.sorts)) { reading, _, judge in
      if reading.code != .troppeRichieste { body(reading, &judge) }
    }
  }
}
