import Contracts
import Foundation
import KilwinningContract
import Observations
import Timekeeping

/// What is certain about one lodge from the operator's commands and from answers: fratelli, tornate, presenze and sessions.
///
/// It is no second backend: a request without an answer clouds what it may have changed until somebody sees what became of it, and
/// nothing is judged by what is clouded.
final class LodgeFacts: Facts {
  typealias Contract = Kilwinning
  typealias Ripe = Reading
  static let concerns = Set<Concern>.requests.union([.controls])
  /// No request is under way for longer, so that by then all are known that may have overlapped.
  static let patience = Kilwinning.patience + .seconds(1)

  /// The sorts of readings are their operations.
  static let sorts = Kilwinning.operations.count
  static func sort(of reading: Reading) -> Int { reading.call.operation }
  static func moment(of reading: Reading) -> Moment? { reading.moment }
  static func sorts(_ operations: Set<Concern>) -> Set<Int> {
    Set(operations.compactMap { if case .operation(let index) = $0 { index } else { nil } })
  }

  var ripening = Ripening<Reading>()
  private(set) var decided = InForce<Kilwinning.Deployment>()
  private(set) var sessions = SessionBook()
  private(set) var brothers: [Fratello.ID: Brother] = [:]
  private(set) var tornate: [Tornata.ID: Register<Tornata?>] = [:]
  /// Who planned a tornata, of those that were planned in view.
  private(set) var planners: [Tornata.ID: Fratello.ID] = [:]
  /// By which request each of them was planned first (§2.0: identifiers are never given again).
  private(set) var givers: [Tornata.ID: KWCall] = [:]
  /// By which request each was deleted first.
  private(set) var deletions: [Tornata.ID: KWCall] = [:]
  /// Of which pair each presenza is that was ever shown, and which identifiers were two pairs' (§2.0, I13).
  private var places: [Presenza.ID: Presenza.Place] = [:]
  private(set) var givenTwice: Set<Presenza.ID> = []
  private var tornataUpdates = MeetingUpdates<Tornata.ID, Tornata>()
  private var fratelloUpdates = MeetingUpdates<Fratello.ID, Fratello>()
  /// Who changed each of them lately, or may have.
  private var lately: [Changed: [(during: ClosedRange<Instant>, call: KWCall)]] = [:]
  /// Whether the lodge has changed how it counts while devices were there, which none of them is told.
  private(set) var countsOtherwise = false
  private(set) var keys = KeyBook()
  private(set) var counted = RequestBook()
  /// Tornate that may have been planned by requests without an answer, until somebody sees all there are.
  private var lostPlans: [ClosedRange<Instant>] = []
  /// Those that were listed before anybody was answered that he planned them.
  private var found: Set<Tornata.ID> = []

  /// Counts the changes of tornate, of fratelli, and of all that decides.
  private(set) var versions = (tornate: 0, fratelli: 0, deployment: 0)
  /// By when the last change of tornate was over.
  private(set) var tornateChanged = Instant.distantPast
  private(set) var fratelliChanged = Instant.distantPast
  var tables = TableCache()
  /// Which names are nearly an administrator's.
  private var nearNames: (names: [String], near: [String: Bool]) = ([], [:])
  /// By what names are sorted.
  private var spellings: [String: [UInt32]] = [:]

  init(_ subject: Subject<Nothing<Kilwinning>>) {}

  /// A fratello with what is known of his presenze.
  final class Brother {
    var person: Register<Fratello>
    var marks: [Tornata.ID: Register<Mark?>] = [:]
    /// The identifiers of his records, as they were first seen (KW-063).
    var recordIDs: [Tornata.ID: Presenza.ID] = [:]
    var version = 0
    var changed = Instant.distantPast
    /// Whether his iniziazione was ever changed (KW-035).
    var wasMoved = false
    var cases: [Anno.Selection: CachedCase] = [:]
    var line: (versions: Versions, line: Line)?

    init(_ fratello: Fratello) { person = Register(fratello) }
  }

  /// A presenza as it was written.
  struct Mark: Hashable {
    enum Origin: Hashable { case fixture, own, registry }

    var status: Presenza.Status
    /// When its last write was, to the second.
    var confirmedAt: ClosedRange<Instant>?
    var origin: Origin
    var hadKey = false
    /// It replaced another record, less than ten seconds before it or longer ago.
    var isRewrite = false
    var followsClosely = false
  }

  // MARK: Commands

  func commanded(_ command: Kilwinning.Request, at moment: Moment) {
    switch command {
    case .load(let fixture): load(fixture, at: moment.time)
    case .populate(let lodge): load(lodge.fixture(at: moment.time, decided.newest), at: moment.time)
    case .configure(let adjustment):
      let before = decided.newest
      decided.adjust(adjustment, at: moment.time)
      let isAnew =
        (before.zone, before.conteggio) != (decided.newest.zone, decided.newest.conteggio)
      if isAnew, !brothers.isEmpty { countsOtherwise = true }
      versions.deployment += 1
    default: break
    }
  }

  private func load(_ fixture: Fixture, at instant: Instant) {
    var next = (brothers.keys.max()?.number ?? 0, tornate.keys.max()?.number ?? 0)
    for given in fixture.fratelli {
      var fratello = given
      if fratello.id == .none { fratello.id = Serial(next.0 + 1) }
      next.0 = max(next.0, fratello.id.number)
      if fratello.registrationDate == .distantPast {
        fratello.registrationDate = instant.inWholeSeconds
      }
      brothers[fratello.id] = Brother(fratello)
    }
    for given in fixture.tornate {
      let id = given.id == .none ? Serial(next.1 + 1) : given.id
      next.1 = max(next.1, id.number)
      var tornata = given
      tornata.id = id
      tornate[id] = Register(tornata)
    }
    for presenza in fixture.presenze {
      let at = presenza.status == .nonConfermato ? nil : presenza.confirmedAt ?? instant
      brothers[presenza.fratelloID]?.marks[presenza.tornataID] = Register(
        Mark(
          status: presenza.status, confirmedAt: at.map { $0.inWholeSeconds...$0.inWholeSeconds },
          origin: .fixture))
    }
    versions.tornate += 1
    versions.fratelli += 1
  }

  // MARK: Requests

  func asked(_ call: KWCall, at moment: Moment) {
    if call.outcome.isAnswered {
      let reading = Reading(
        call, at: moment, in: self, before: before(call), key: keyState(of: call))
      ripening.keep(reading, until: call.answered + Self.patience)
    }
    learn(from: call)
  }

  func askedAgain(_ unheard: KWCall, at moment: Moment) { learn(from: unheard) }

  private func learn(from call: KWCall) {
    if decided.newest.limitsRequests, !call.request.isFrameBroken,
      call.outcome.isAnswered || call.isUnknown
    {
      counted.take(
        call, call.acting, of: sessions.session(of: call.credential))
    }
    take(call)
    sessions.take(call)
  }

  private func before(_ call: KWCall) -> Reading.Before? {
    switch call.request {
    case .updateTornata(let asked): tornata(asked.id, during: call.during).map { .tornata($0) }
    case .deleteTornata(let id): tornata(id, during: call.during).map { .tornata($0) }
    case .updateFratello(let asked):
      if let brother = brothers[asked.id] {
        brother.person.value(during: call.during).map { .fratello($0) }
      } else {
        .fratello(nil)
      }
    case .me:
      if let session = sessions.session(of: call.credential),
        session.state(during: call.during) == .expired
      {
        .expired(session)
      } else {
        nil
      }
    default: nil
    }
  }

  private func keyState(of call: KWCall) -> KeyBook.State {
    guard case .confirm(let asked) = call.request, asked.idempotencyKey != nil,
      let session = sessions.session(of: call.credential)
    else { return .fresh }
    return keys.state(of: asked, by: session.owner, during: call.during)
  }

  func caller(of call: KWCall) -> Asker {
    guard let session = sessions.session(of: call.credential) else { return .nobody }
    return switch session.state(during: call.during) {
    case .live: .live(session)
    case .expired: .expired(session)
    case .revoked: .revoked(session)
    case .unclear: .unclear
    }
  }

  /// Whether nobody else may have changed meanwhile what a call was to change; certain once it is ripe.
  func isUndisturbed(_ call: KWCall) -> Bool {
    guard let changed = call.request.changed else { return true }
    return lately[changed]?.allSatisfy { $0.call === call || !$0.during.overlaps(call.during) }
      ?? true
  }

  private func take(_ call: KWCall) {
    guard call.isReplied || call.isUnknown else { return }
    var during = call.acting
    if let changed = call.request.changed {
      lately[changed]?.removeAll { $0.during.upperBound < during.lowerBound - .minutes(5) }
      lately[changed, default: []].append((during, call))
    }
    switch call.request {
    case .confirm(let asked): confirm(asked, call, during)
    case .createTornata(let asked):
      if let made = call.outcome.reply?.tornata {
        guard tornate[made.id] == nil || found.remove(made.id) != nil else { return }
        givers[made.id] = call
        tornate[made.id] = Register(nil)
        set(made.id, to: asked.planned(as: made.id), during, isCertain: true)
        planners[made.id] = sessions.session(of: call.credential)?.owner
      } else {
        lostPlans.append(during)
        touch(during)
      }
    case .updateTornata(let asked):
      guard case .success(let change) = asked.change, let known = tornate[asked.id],
        let present = known.latest ?? nil
      else { return }
      during = tornataUpdates.widened(asked.id, during)
      let isKnown = known.value(during: during.lowerBound...during.lowerBound) != nil
      // Of what was changed from nobody is certain: an answer shows what it came to, and without one it may have come to this.
      let next =
        isKnown || call.isUnknown ? change.applied(to: present) : call.outcome.reply?.tornata
      if let next { set(asked.id, to: next, during, isCertain: call.isReplied) }
      let both = tornataUpdates.take(
        asked.id, from: isKnown ? present : nil, during, isCertain: call.isReplied
      ) { change.applied(to: $0) }
      if let both { set(asked.id, to: both.value, both.since...both.since, isCertain: true) }
    case .deleteTornata(let id):
      guard tornate[id] != nil else { return }
      set(id, to: nil, during, isCertain: call.isReplied)
      if call.isReplied, deletions[id] == nil { deletions[id] = call }
    case .updateFratello(let asked):
      guard case .success(let change) = asked.change, let brother = brothers[asked.id],
        let present = brother.person.latest
      else { return }
      during = fratelloUpdates.widened(asked.id, during)
      let known = brother.person.value(during: during.lowerBound...during.lowerBound)
      var next = change.applied(to: known ?? present)
      // What was changed from is not certain after a change without an answer; an answer shows what it came to.
      if known == nil, var shown = call.outcome.reply?.fratello {
        shown.adminAccess = present.adminAccess
        next = shown
      }
      brother.person.set(next, during: during, isCertain: call.isReplied)
      let both = fratelloUpdates.take(asked.id, from: known, during, isCertain: call.isReplied) {
        change.applied(to: $0)
      }
      if let both { brother.person.set(both.value, during: both.since...both.since) }
      if next.dataIniziazione != present.dataIniziazione { brother.wasMoved = true }
      touch(brother, during)
      versions.fratelli += 1
      fratelliChanged = max(fratelliChanged, during.upperBound)
    case .presenze(let query): learn(from: call.outcome.reply?.presenze, of: query, during)
    case .tornate(let query): learn(from: call.outcome.reply?.tornate, of: query, during)
    default: break
    }
  }

  private func set(
    _ id: Tornata.ID, to tornata: Tornata?, _ during: ClosedRange<Instant>, isCertain: Bool
  ) {
    tornate[id]?.set(tornata, during: during, isCertain: isCertain)
    tornate[id]?.forget(before: during.lowerBound - .minutes(5))
    touch(during)
  }

  private func touch(_ during: ClosedRange<Instant>) {
    versions.tornate += 1
    tornateChanged = max(tornateChanged, during.upperBound)
  }

  private func touch(_ brother: Brother, _ during: ClosedRange<Instant>) {
    brother.version += 1
    brother.changed = max(brother.changed, during.upperBound)
  }

  // MARK: Confirmations

  private func confirm(
    _ asked: Confirmation, _ call: KWCall, _ during: ClosedRange<Instant>
  ) {
    guard let session = sessions.session(of: call.credential) else { return }
    var during = during
    if asked.idempotencyKey != nil {
      var (first, isTaken): (Instant?, Bool) = (nil, true)
      switch keys.state(of: asked, by: session.owner, during: during) {
      case .answered: return
      // It may have worked before, and then it did nothing now.
      case .unclear(let since):
        first = since
        during = min(since, during.lowerBound)...during.upperBound
      // Its first use stands, as far as anybody knows.
      case .reused: isTaken = call.isReplied
      case .fresh: break
      }
      if isTaken { keys.take(asked, call, by: session.owner, since: first) }
    }
    guard let brother = brothers[asked.fratelloID ?? session.owner] else { return }
    var register = brother.marks[asked.tornataID] ?? Register(nil)
    let before = register.latest ?? nil
    let last = before?.confirmedAt?.upperBound ?? .distantPast
    let mark = Mark(
      status: asked.presente ? .presente : .assente,
      confirmedAt: during.lowerBound.inWholeSeconds...during.upperBound,
      origin: asked.fratelloID == nil ? .own : .registry, hadKey: asked.idempotencyKey != nil,
      isRewrite: before != nil, followsClosely: during.lowerBound - last < .seconds(10))
    register.set(mark, during: during, isCertain: call.isReplied)
    register.forget(before: during.lowerBound - .minutes(5))
    brother.marks[asked.tornataID] = register
    touch(brother, during)
  }

  // MARK: Learning what became of requests without an answer

  private func learn(
    from shown: [Presenza]?, of query: PresenzeQuery, _ during: ClosedRange<Instant>
  ) {
    guard let shown, let brother = brothers[query.fratelloID] else { return }
    for presenza in shown {
      if brother.recordIDs[presenza.tornataID] == nil, let id = presenza.id {
        brother.recordIDs[presenza.tornataID] = id
        if places.updateValue(presenza.place, forKey: id) != nil { givenTwice.insert(id) }
      }
      guard let register = brother.marks[presenza.tornataID],
        register.value(during: during) == nil,
        let seen = register.values(during: during).compactMap({ $0 }).last(where: {
          $0.status == presenza.status
            && ($0.confirmedAt?.contains(presenza.confirmedAt ?? .distantPast) ?? true)
        })
      else { continue }
      brother.marks[presenza.tornataID]?.set(seen, during: during)
      touch(brother, during)
    }
    guard query.anno.selection == .tutti else { return }
    let ids = Set(shown.map(\.tornataID))
    for id in brother.marks.keys.sorted() where !ids.contains(id) {
      guard let register = brother.marks[id], register.value(during: during) == nil,
        register.values(during: during).contains(nil)
      else { continue }
      brother.marks[id]?.set(nil, during: during)
      touch(brother, during)
    }
  }

  private func learn(
    from shown: SharedList<Tornata>?, of query: TornateQuery, _ during: ClosedRange<Instant>
  ) {
    guard let shown, !lostPlans.isEmpty || table(during: during) == nil else { return }
    for tornata in shown {
      if let register = tornate[tornata.id] {
        guard register.value(during: during) == nil,
          register.values(during: during).contains(tornata)
        else { continue }
        set(tornata.id, to: tornata, during, isCertain: true)
      } else if let since = lostPlans.map(\.lowerBound).min() {
        // Who looked before may not have been shown it.
        let planned = min(since, during.lowerBound)...during.upperBound
        found.insert(tornata.id)
        tornate[tornata.id] = Register(nil)
        set(tornata.id, to: tornata, planned, isCertain: true)
      }
    }
    guard query.anno.selection == .tutti, query.stato == nil else { return }
    lostPlans.removeAll { $0.upperBound < during.lowerBound }
    let ids = Set(shown.map(\.id))
    for id in tornate.keys.sorted() where !ids.contains(id) {
      guard let register = tornate[id], register.value(during: during) == nil,
        register.values(during: during).contains(nil)
      else { continue }
      set(id, to: nil, during, isCertain: true)
    }
    touch(during)
  }

  /// The code points of a name, its letters composed (KW-031).
  func spelling(of nome: String) -> [UInt32] {
    if let known = spellings[nome] { return known }
    let spelling = nome.precomposedStringWithCanonicalMapping.unicodeScalars.map(\.value)
    spellings[nome] = spelling
    return spelling
  }

  /// The same words in any case and order.
  func isNear(_ nome: String, to names: [String]) -> Bool {
    if nearNames.names != names { nearNames = (names, [:]) }
    if let isNear = nearNames.near[nome] { return isNear }
    let words = nome.lowercased().split(separator: " ").sorted()
    let isNear = names.contains { $0.lowercased().split(separator: " ").sorted() == words }
    nearNames.near[nome] = isNear
    return isNear
  }

  /// Whether a tornata may exist of which nobody knows.
  func mayHideATornata(during interval: ClosedRange<Instant>) -> Bool {
    lostPlans.contains { $0.lowerBound <= interval.upperBound }
  }
}

/// A thing that two people may change at once.
enum Changed: Hashable {
  case tornata(Tornata.ID)
  case fratello(Fratello.ID)
}

extension Kilwinning.Request {
  /// What it changes, if it is an update or a deletion.
  fileprivate var changed: Changed? {
    switch self {
    case .updateTornata(let asked): .tornata(asked.id)
    case .deleteTornata(let id): .tornata(id)
    case .updateFratello(let asked): .fratello(asked.id)
    default: nil
    }
  }
}

extension NewTornata {
  /// As it is stored (KW-043).
  func planned(as id: Tornata.ID) -> Tornata {
    Tornata(
      id: id, discussione: discussione.trimmed, data: data.inWholeSeconds, tipo: tipo,
      location: location, cena: cena)
  }
}

extension FratelloChange {
  /// KW-033.
  func applied(to fratello: Fratello) -> Fratello {
    var next = fratello
    next.grado = grado
    next.dataIniziazione = dataIniziazione.applied(to: fratello.dataIniziazione)
    next.dataPassaggio = dataPassaggio.applied(to: fratello.dataPassaggio)
    next.dataElevazione = dataElevazione.applied(to: fratello.dataElevazione)
    return next
  }
}
