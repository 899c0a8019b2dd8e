import Contracts
import KilwinningContract
import Observations
import Timekeeping

/// What one device noted, asked and was answered. Only who notes is a device; others may ask as they like.
final class Diary: Facts {
  typealias Contract = Kilwinning
  static let scope = Scope<Kilwinning>.person
  static let concerns = Set<Concern>.requests.union([.notes])

  let lodge: LodgeFacts
  private(set) var isDevice = false
  private(set) var isOnline = true
  private(set) var secure = Kilwinning.SecureStore()
  /// The token that the last login gave, and who logged in, as he was last answered.
  private(set) var token: String?
  private(set) var user: Fratello?
  private(set) var launch = Launch()
  /// The screen that loads just now, with what it asked.
  private(set) var opening: Kilwinning.Opening?
  private(set) var openedAt = Instant.distantPast
  private(set) var loading: [KWCall] = []
  /// Whether a screen with the picker of anni was opened (KW-078).
  private(set) var hasPicked = false
  /// When what was loaded last, since the last write of this device (KW-122).
  private(set) var loaded: [Kilwinning.Load: Instant] = [:]
  /// What was answered last.
  private(set) var list: SharedList<Fratello> = []
  private(set) var rows: [RigaRiepilogo] = []
  private(set) var statistiche: [Anno.Selection: Statistiche] = [:]
  private(set) var tornate: [TornateSelection: SharedList<Tornata>] = [:]
  /// His records as they were loaded, each with how many of his writes had been answered by then.
  private var presenze: [Anno.Selection: (list: [Presenza], writes: Int)] = [:]
  private var writes: [(tornata: Tornata.ID, presente: Bool)] = []
  /// A write whose consequence is still to come.
  private(set) var due: Due?
  private(set) var deletable: Tornata.ID?
  private(set) var queue: [Entry] = []
  private(set) var usedIDs: Set<String> = []
  private(set) var run: Run?
  private(set) var lastSent: KWCall?
  /// How many entries the logout under way told to have thrown away.
  private(set) var discarded: Int?
  private(set) var isLoggingOut = false
  private(set) var hasNetworkBack = false
  private(set) var widget = WidgetState()

  init(_ subject: Subject<LodgeFacts>) { lodge = subject.known }

  struct Launch {
    var isOnline = true
    var prompts = 0
    var accepted: Bool?
    var hasList = false
    var requests = 0
    var loggedInByList = false
    /// As it was when the app began.
    var secure = Kilwinning.SecureStore()
    var at = Instant.distantPast
    /// Whether nothing was noted since it began.
    var isFresh = true
  }

  enum Due {
    /// O8 after a confirmation (KW-120), once.
    case statistics, noMoreStatistics
    /// O11 after a write of the management (KW-053), once.
    case list, noMoreLists
  }

  struct Entry {
    let opID: String
    let owner: Fratello.ID
    let tornata: Tornata.ID
    let presente: Bool
  }

  /// A synchronisation under way.
  struct Run {
    var requests = 0
  }

  struct WidgetState {
    var wokeAt: Instant?
    var requests: [KWCall] = []
    var planned: SharedList<Tornata> = []
    var refreshesAt: Instant?
  }

  func own(_ id: Fratello.ID?) -> [Entry] { queue.filter { $0.owner == id } }

  // MARK: Notes

  func noted(_ note: Kilwinning.Note, at moment: Moment) {
    isDevice = true
    launch.isFresh = false
    if case .opens = note {} else { opening = nil }
    if case .network(isUp: true) = note { hasNetworkBack = true } else { hasNetworkBack = false }
    switch note {
    case .launched(let isOnline):
      self.isOnline = isOnline
      launch = Launch()
      (launch.isOnline, launch.secure, launch.at) = (isOnline, secure, moment.time)
      (isLoggingOut, due) = (false, nil)
    case .network(let isUp): isOnline = isUp
    case .stored(let store, let change):
      secure = store
      if change == .logout {
        (isLoggingOut, discarded) = (false, nil)
        forgetLoads()
      }
    case .prompted(let isAccepted):
      launch.prompts += 1
      launch.accepted = isAccepted
    case .opens(let opening):
      (self.opening, openedAt, loading) = (opening, moment.time, [])
      hasPicked = hasPicked || opening.hasPicker
      due = nil
    case .shows(let screen): hasPicked = hasPicked || screen.hasPicker
    case .asksBeforeDeleting(let id, let isConfirmed): deletable = isConfirmed ? id : nil
    case .queued(let opID, let owner, let tornata, let presente, let replaced):
      queue.removeAll { $0.opID == replaced }
      queue.append(Entry(opID: opID, owner: owner, tornata: tornata, presente: presente))
      usedIDs.insert(opID)
    case .settled(let opID, _, _): queue.removeAll { $0.opID == opID }
    case .synchronising: run = Run()
    case .paused: run = nil
    case .discarded(let owner, let count):
      discarded = count
      queue.removeAll { $0.owner == owner }
    case .widgetWakes: (widget.wokeAt, widget.requests) = (moment.time, [])
    case .widgetShows(let view): (widget.wokeAt, widget.refreshesAt) = (nil, view.refreshesAt)
    }
  }

  private func forgetLoads() {
    (loaded, statistiche, presenze, tornate, writes) = ([:], [:], [:], [:], [])
  }

  /// Of which tornate of an anno he was there, as far as this device knows: what it loaded, what it wrote since, and without network what
  /// waits in its queue. `nil`: it has not loaded them.
  func attendance(in anno: Anno.Selection) -> [Tornata.ID: Bool]? {
    guard let (list, known) = presenze[anno] else { return nil }
    var isThere: [Tornata.ID: Bool] = [:]
    for presenza in list { isThere[presenza.tornataID] = presenza.status == .presente }
    for write in writes[known...] { isThere[write.tornata] = write.presente }
    if !isOnline, let user { for entry in own(user.id) { isThere[entry.tornata] = entry.presente } }
    return isThere
  }

  // MARK: Requests

  func asked(_ call: KWCall, at moment: Moment) {
    launch.requests += 1
    if opening != nil { loading.append(call) }
    if run != nil { run?.requests += 1 }
    if widget.wokeAt != nil { widget.requests.append(call) }
    follow(call)
    switch call.request {
    case .fratelli: launch.hasList = true
    case .logOut: isLoggingOut = true
    case .confirm(let asked) where run != nil && asked.fratelloID == nil: lastSent = call
    default: break
    }
    if let reply = call.outcome.reply { take(reply, call) }
  }

  /// What a write makes due, and what is done about it.
  private func follow(_ call: KWCall) {
    switch (call.request, due) {
    case (.statistiche, .statistics): due = .noMoreStatistics
    case (.tornate, .list): due = .noMoreLists
    default: due = nil
    }
    guard call.isReplied else { return }
    switch call.request {
    case .confirm(let asked):
      loaded = [:]
      if asked.fratelloID ?? user?.id == user?.id {
        writes.append((asked.tornataID, asked.presente))
      }
      if run == nil, asked.fratelloID == nil { due = .statistics }
    case .createTornata, .updateTornata, .deleteTornata:
      loaded = [:]
      due = .list
    case .updateFratello: loaded = [:]
    default: break
    }
  }

  private func take(_ reply: Kilwinning.Reply, _ call: KWCall) {
    if widget.wokeAt == nil, let load = call.request.load { loaded[load] = call.answered }
    switch (call.request, reply) {
    case (_, .fratelli(let list)): self.list = list
    case (_, .loggedIn(let login)):
      if user?.id != login.user.id { forgetLoads() }
      (token, user) = (login.token, login.user)
      launch.loggedInByList = launch.accepted != true
    case (.me, .fratello(let fratello)): user = fratello
    case (_, .riepilogo(let rows)): self.rows = rows
    case (.statistiche(let query), .statistiche(let it)): statistiche[query.anno.selection] = it
    case (.presenze(let query), .presenze(let list)):
      presenze[query.anno.selection] = (list, writes.count)
    case (.tornate(let query), .tornate(let list)):
      if widget.wokeAt == nil { tornate[query.selection] = list }
      if query == TornateQuery(stato: .programmata) { widget.planned = list }
    default: break
    }
  }
}

extension Kilwinning.Request {
  /// What a device keeps of its answer, if it keeps anything.
  var load: Kilwinning.Load? {
    switch self {
    case .tornate(let query): .tornate(query.selection)
    case .presenze(let query): .presenze(query.fratelloID, query.anno.selection)
    case .statistiche(let query): .statistiche(query.fratelloID, query.anno.selection)
    default: nil
    }
  }
}

extension Check<Kilwinning> {
  /// Judges each request of a device by what it noted and was answered before.
  static func device(
    _ rule: Kilwinning.Rule,
    noted: @escaping @Sendable (Kilwinning.Note, Moment, Diary, inout Judge) -> Void,
    _ asked: @escaping @Sendable (KWCall, Diary, inout Judge) -> Void = { _, _, _ in }
  ) -> KWCheck {
    .each(rule, .requests, by: Diary.self, noted: noted) { call, diary, judge in
      if diary.isDevice { asked(call, diary, &judge) }
    }
  }

  static func device(
    _ rule: Kilwinning.Rule, _ asked: @escaping @Sendable (KWCall, Diary, inout Judge) -> Void
  ) -> KWCheck {
    .each(rule, .requests, by: Diary.self) { call, diary, judge in
      if diary.isDevice { asked(call, diary, &judge) }
    }
  }

  /// Judges what devices show.
  static func screen(
    _ rule: Kilwinning.Rule,
    _ body: @escaping @Sendable (Kilwinning.Screen, Moment, Diary, inout Judge) -> Void
  ) -> KWCheck {
    device(
      rule,
      noted: { note, moment, diary, judge in
        if case .shows(let screen) = note { body(screen, moment, diary, &judge) }
      })
  }
}
