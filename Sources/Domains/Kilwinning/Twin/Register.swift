import Contracts
import KilwinningContract
import Timekeeping

/// What is stored of one fratello at one tornata (§2.3).
struct Attendance {
  /// `.none` where there is no record.
  var id = Presenza.ID.none
  var status = Presenza.Status.nonConfermato
  var confirmedAt: Instant?

  var isStored: Bool { id != .none }
}

/// A fratello with his attendance, beside the register's tornate from the oldest to the newest.
struct Brother {
  var fratello: Fratello
  /// The start of the civil day of the iniziazione (KW-081).
  var start: Instant?
  /// The iniziazione of which his figures know while KW-035 is switched off.
  var initialIniziazione: Instant?
  fileprivate(set) var attendance: [Attendance]
}

/// The identifiers of one kind of entity: given in increasing order, and none of them twice, not even of what is gone (§2.0).
struct Identifiers<Kind> {
  private var taken: Set<Serial<Kind>> = []
  private var last = 0

  var next: Serial<Kind> { Serial(last + 1) }

  func has(_ id: Serial<Kind>) -> Bool { taken.contains(id) }

  mutating func take(_ id: Serial<Kind>) {
    taken.insert(id)
    last = max(last, id.number)
  }
}

/// The lodge's book: fratelli, tornate in the order in which they take place, and who attended.
///
/// What statistics read stands close together: times and states of the tornate in arrays of their own, and each fratello's attendance in the
/// same order.
struct Register {
  private(set) var tornate: [Tornata] = []
  private(set) var times: [Instant] = []
  private(set) var states: [Tornata.Stato] = []
  private var places: [Tornata.ID: Int] = [:]

  private(set) var brothers: [Brother] = []
  private var brotherPlaces: [Fratello.ID: Int] = [:]
  /// The fratelli by degree, then by name (KW-031).
  private(set) var order: [Int] = []

  /// What inspection shows and has changed.
  private var changes = (
    fratelli: ChangeLog<Fratello.ID>(), tornate: ChangeLog<Tornata.ID>(),
    presenze: ChangeLog<Presenza.Place>()
  )

  private(set) var fratelloIDs = Identifiers<Fratello>()
  private(set) var tornataIDs = Identifiers<Tornata>()
  private(set) var presenzaIDs = Identifiers<Presenza>()

  // MARK: Finding

  func place(of id: Tornata.ID) -> Int? { places[id] }
  func brother(_ id: Fratello.ID) -> Int? { brotherPlaces[id] }

  /// The fratello of a name: exactly this one, letters composed or not (KW-003).
  func brother(named nome: String) -> Int? { brothers.firstIndex { $0.fratello.nome == nome } }

  /// The places of the tornate from an instant on, before another one.
  func places(from start: Instant, until end: Instant) -> Range<Int> {
    let first = firstPlace { $0 >= start }
    return first..<max(first, firstPlace { $0 >= end })
  }

  private func firstPlace(where isThere: (Instant) -> Bool) -> Int {
    var (low, high) = (0, times.count)
    while low < high {
      let middle = (low + high) / 2
      if isThere(times[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  // MARK: Fratelli

  /// - Parameter id: Its identifier; `.none` asks for a new one.
  mutating func add(_ fratello: Fratello, in zone: CivilZone) {
    var fratello = fratello
    if fratello.id == .none { fratello.id = fratelloIDs.next }
    fratelloIDs.take(fratello.id)
    brotherPlaces[fratello.id] = brothers.count
    changes.fratelli.note(fratello.id)
    brothers.append(
      Brother(
        fratello: fratello, start: fratello.dataIniziazione.map { zone.startOfDay(of: $0) },
        initialIniziazione: fratello.dataIniziazione,
        attendance: Array(repeating: Attendance(), count: tornate.count)))
  }

  mutating func change(_ brother: Int, to fratello: Fratello, in zone: CivilZone) {
    brothers[brother].fratello = fratello
    changes.fratelli.note(fratello.id)
    brothers[brother].start = fratello.dataIniziazione.map { zone.startOfDay(of: $0) }
  }

  /// Fratelli have come, or changed degree or name.
  mutating func sortBrothers() {
    order = brothers.indices.sorted {
      let (a, b) = (brothers[$0].fratello, brothers[$1].fratello)
      return (a.grado.rank, a.nome, a.id) < (b.grado.rank, b.nome, b.id)
    }
  }

  /// The zone has changed.
  mutating func tellDays(in zone: CivilZone) {
    for brother in brothers.indices { change(brother, to: brothers[brother].fratello, in: zone) }
  }

  // MARK: Tornate

  /// - Returns: With its identifier, a new one where it had none.
  @discardableResult
  mutating func add(_ tornata: Tornata) -> Tornata {
    var tornata = tornata
    if tornata.id == .none { tornata.id = tornataIDs.next }
    tornataIDs.take(tornata.id)
    changes.tornate.note(tornata.id)
    let place = place(for: tornata)
    insert(tornata, at: place)
    for brother in brothers.indices { brothers[brother].attendance.insert(Attendance(), at: place) }
    count(from: place)
    return tornata
  }

  /// - Parameter place: Where it is now.
  mutating func change(_ place: Int, to tornata: Tornata) {
    tornate[place] = tornata
    changes.tornate.note(tornata.id)
    states[place] = tornata.stato
    guard times[place] != tornata.data else { return }
    remove(place)
    let next = self.place(for: tornata)
    insert(tornata, at: next)
    for brother in brothers.indices {
      let carried = brothers[brother].attendance.remove(at: place)
      brothers[brother].attendance.insert(carried, at: next)
    }
    count(from: min(place, next))
  }

  /// With all its presenze (KW-051).
  mutating func delete(_ place: Int) {
    places[tornate[place].id] = nil
    changes.tornate.note(tornate[place].id)
    for brother in brothers.indices {
      if brothers[brother].attendance[place].isStored { note(brother, at: place) }
      brothers[brother].attendance.remove(at: place)
    }
    remove(place)
    count(from: place)
  }

  private func place(for tornata: Tornata) -> Int {
    var place = firstPlace { $0 >= tornata.data }
    while place < tornate.count, times[place] == tornata.data, tornate[place].id < tornata.id {
      place += 1
    }
    return place
  }

  private mutating func insert(_ tornata: Tornata, at place: Int) {
    tornate.insert(tornata, at: place)
    times.insert(tornata.data, at: place)
    states.insert(tornata.stato, at: place)
  }

  private mutating func remove(_ place: Int) {
    tornate.remove(at: place)
    times.remove(at: place)
    states.remove(at: place)
  }

  private mutating func count(from place: Int) {
    for place in place..<tornate.count { places[tornate[place].id] = place }
  }

  // MARK: Presenze

  /// - Parameter id: Of the record; `nil` keeps the one that is there, or gives a new one (KW-063).
  mutating func record(
    _ status: Presenza.Status, of brother: Int, at place: Int, confirmedAt: Instant?,
    as id: Presenza.ID? = nil
  ) {
    let stored = brothers[brother].attendance[place].id
    let id = id ?? (stored == .none ? presenzaIDs.next : stored)
    if id != stored { presenzaIDs.take(id) }
    brothers[brother].attendance[place] = Attendance(
      id: id, status: status, confirmedAt: confirmedAt)
    note(brother, at: place)
  }

  private mutating func note(_ brother: Int, at place: Int) {
    changes.presenze.note(
      Presenza.Place(fratelloID: brothers[brother].fratello.id, tornataID: tornate[place].id))
  }

  mutating func forget(_ brother: Int, at place: Int) {
    guard brothers[brother].attendance[place].isStored else { return }
    brothers[brother].attendance[place] = Attendance()
    note(brother, at: place)
  }

  /// A record as it is shown; `nil` where there is none.
  func presenza(of brother: Int, at place: Int) -> Presenza? {
    let stored = brothers[brother].attendance[place]
    guard stored.isStored else { return nil }
    return Presenza(
      id: stored.id, fratelloID: brothers[brother].fratello.id, tornataID: tornate[place].id,
      status: stored.status, confirmedAt: stored.confirmedAt)
  }

  // MARK: Inspecting

  /// Everything, or what has changed since a look.
  mutating func inspection(since: Int) -> Inspection {
    let fratelli = changes.fratelli.look(since: since)
    let tornate = changes.tornate.look(since: since)
    let presenze = changes.presenze.look(since: since)
    guard let fratelli, let tornate, let presenze else { return whole }
    let written = presenze.map { ($0, presenza(at: $0)) }
    return Inspection(
      fratelli: fratelli.sorted().map { brothers[brotherPlaces[$0]!].fratello },
      tornate: tornate.sorted().compactMap { places[$0].map { self.tornate[$0] } },
      presenze: written.compactMap(\.1), sessions: [],
      gone: .init(
        tornate: tornate.filter { places[$0] == nil },
        presenze: written.filter { $0.1 == nil }.map(\.0)),
      extent: LookExtent(since: since, look: changes.tornate.look))
  }

  private var whole: Inspection {
    let ascending = brothers.indices.sorted {
      brothers[$0].fratello.id < brothers[$1].fratello.id
    }
    return Inspection(
      fratelli: ascending.map { brothers[$0].fratello },
      tornate: tornate.sorted { $0.id < $1.id },
      presenze: ascending.flatMap { brother in
        tornate.indices.reversed().compactMap { presenza(of: brother, at: $0) }
      }, sessions: [], extent: LookExtent(look: changes.tornate.look))
  }

  private func presenza(at key: Presenza.Place) -> Presenza? {
    guard let brother = brotherPlaces[key.fratelloID], let place = places[key.tornataID]
    else { return nil }
    return presenza(of: brother, at: place)
  }

  // MARK: Counting

  /// The tally of the tornate among these places that count for a fratello (§6).
  @inline(__always)
  func tally(
    _ brother: Int, among places: Range<Int>, _ counting: Counting,
    counts: (Presenza.Status) -> Bool = { $0 == .presente }
  ) -> Tally {
    var tally = Tally()
    brothers[brother].attendance.withUnsafeBufferPointer { attendance in
      for place in places where counting.isHeld(times[place], states[place]) {
        tally.take(isPresent: attendance[place].isStored && counts(attendance[place].status))
      }
    }
    return tally
  }
}
