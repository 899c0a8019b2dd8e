import Contracts
import MimiSupplyContract
import Timekeeping

/// Zones that users made themselves (§2.12).
struct CustomZones: Sendable {
  struct Made: Sendable {
    let name: String
    /// Place in the order of changes.
    let position: Int
    var isDeleted = false
  }

  private var byUser: [UserName: [String: Made]] = [:]

  func has(_ name: String, of user: UserName) -> Bool {
    byUser[user]?[name].map { !$0.isDeleted } ?? false
  }

  /// All of a user, deleted ones included, by name.
  func made(by user: UserName) -> [Made] {
    (byUser[user] ?? [:]).values.sorted { $0.name < $1.name }
  }

  mutating func create(_ name: String, of user: UserName, at position: Int) {
    byUser[user, default: [:]][name] = Made(name: name, position: position)
  }

  mutating func delete(_ name: String, of user: UserName, at position: Int) {
    byUser[user, default: [:]][name] = Made(name: name, position: position, isDeleted: true)
  }

  mutating func forget(_ user: UserName) { byUser[user] = nil }
}

extension MimiSupplyTwin {
  // MARK: 6. of §3.1

  /// Whether the zone that a request names is there.
  func zoneFailure(of request: MimiSupply.Request, at place: Place) -> Failure? {
    guard let zone = place.zone else { return nil }
    if knows(zone, place) { return nil }
    return Failure(.zoneNotFound, .zoneNotFound, "there is no zone \(printable(zone.zoneName))")
  }

  private func knows(_ zone: Zone, _ place: Place) -> Bool {
    if zone.zoneName == Zone.defaultName { return true }
    guard place.database != .public, let user = place.identity.user else { return false }
    if zone.zoneName == Zone.atomicName { return true }
    if zones.has(zone.zoneName, of: user), zone.ownerRecordName ?? user == user { return true }
    // A foreign zone exists for who sees a record in it.
    let actor = actor(of: place.identity)
    return shelf.names(inZone: zone.zoneName).contains { name in
      guard let record = shelf.record(name) else { return false }
      return (zone.ownerRecordName.map { $0 == record.zone.ownerRecordName } ?? true)
        && market.isVisible(record, to: actor, on: shelf)
    }
  }

  // MARK: Reading

  /// The zones of a database as the caller has them.
  func ownZones(at place: Place) -> [Zone] {
    guard let user = place.identity.user, place.database != .public else { return [Zone()] }
    guard place.database == .private else { return foreignZones(at: place) }
    let custom = zones.made(by: user).filter { !$0.isDeleted }.map(\.name)
    return ([Zone.defaultName, Zone.atomicName] + custom).map { Zone($0, owner: user) }
  }

  /// The shared database has no zones of its own: those of others in which the caller sees something.
  private func foreignZones(at place: Place) -> [Zone] {
    let actor = actor(of: place.identity)
    var found: Set<Zone> = []
    for type in RecordSchema.types where RecordSchema.of(type)?.isPublic == false {
      for name in shelf.names(of: type) {
        guard let record = shelf.record(name),
          record.created.userRecordName != place.identity.user,
          !found.contains(record.zone),
          market.isVisible(record, to: actor, on: shelf)
        else { continue }
        found.insert(record.zone)
      }
    }
    return found.sorted {
      ($0.ownerRecordName ?? "", $0.zoneName) < ($1.ownerRecordName ?? "", $1.zoneName)
    }
  }

  mutating func listZones(at place: Place, _ now: Instant) -> Answer {
    .success(.zones(ownZones(at: place).map { shown($0, at: place, now) }))
  }

  mutating func lookupZones(_ asked: [Zone], at place: Place, _ now: Instant) -> Answer {
    .success(
      .zones(
        asked.map { zone in
          knows(zone, place)
            ? shown(zone, at: place, now)
            : .failed(
              zone,
              Failure(
                .zoneNotFound, .zoneNotFound, "there is no zone \(printable(zone.zoneName))"))
        }))
  }

  private mutating func shown(_ zone: Zone, at place: Place, _ now: Instant) -> ZoneResult {
    var named = zone
    if named.ownerRecordName == nil, place.database != .public {
      named.ownerRecordName = place.identity.user
    }
    guard place.database != .public, zone.zoneName != Zone.defaultName else {
      return .zone(named, atomic: false, syncToken: nil)
    }
    return .zone(named, atomic: true, syncToken: syncToken(of: zone, at: place, now))
  }

  // MARK: Writing

  mutating func modifyZones(
    _ asked: [ZoneOperation], at place: Place, _ now: Instant
  ) -> Answer {
    guard place.database != .public, let user = place.identity.user else {
      return .failure(.invalid("the public database has its default zone and no other"))
    }
    guard place.database == .private else {
      return .failure(.invalid("the shared database has no zones of its own"))
    }
    return .success(.zones(asked.map { modify($0, of: user, at: place, now) }))
  }

  private mutating func modify(
    _ operation: ZoneOperation, of user: UserName, at place: Place, _ now: Instant
  ) -> ZoneResult {
    let name = operation.zone.zoneName
    let isPrepared = name == Zone.defaultName || name == Zone.atomicName
    guard isPrepared || Self.isName(name.utf8) else {
      return .failed(operation.zone, .invalid("a zone name has 1 to 255 ASCII characters"))
    }
    guard operation.zone.ownerRecordName ?? user == user else {
      let failure = Failure.denied("the zone belongs to somebody else")
      auditRefusal(failure, of: nil, by: place.identity, at: now)  // MS-113
      return .failed(operation.zone, failure)
    }
    switch operation.kind {
    case .create:
      if !isPrepared, !zones.has(name, of: user) {
        zones.create(name, of: user, at: shelf.takePosition())
      }
      return shown(operation.zone, at: place, now)
    case .delete:
      guard isPrepared || zones.has(name, of: user) else {
        return .failed(
          operation.zone,
          Failure(.zoneNotFound, .zoneNotFound, "there is no zone \(printable(name))"))
      }
      let isEmpty = !shelf.names(inZone: name).contains {
        shelf.record($0)?.zone.ownerRecordName == user
      }
      guard !isPrepared, isEmpty else {
        let failure = Failure.denied("the zone holds records, or is one that everybody has")
        auditRefusal(failure, of: nil, by: place.identity, at: now)
        return .failed(operation.zone, failure)
      }
      zones.delete(name, of: user, at: shelf.takePosition())
      return .deleted(operation.zone)
    }
  }
}
