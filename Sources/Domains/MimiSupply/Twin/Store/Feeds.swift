import Contracts
import MimiSupplyContract
import Timekeeping

/// What each user's feeds have shown, so that what left the visible set can be told (MS-11).
struct Feeds: Sendable {
  struct Key: Hashable, Sendable {
    let user: UserName
    let database: Database
    let zone: String
    let owner: UserName?
  }

  struct State: Sendable {
    /// Records that were visible at the last look, with the place at which they became it.
    var entered: [RecordName: Int] = [:]
    /// Records that were visible once, with the place at which it was noticed that they are not, and their type.
    var left: [RecordName: (position: Int, type: RecordType)] = [:]
    /// Of which type each visible record is.
    var types: [RecordName: RecordType] = [:]
  }

  var states: [Key: State] = [:]

  mutating func forget(_ user: UserName) { states = states.filter { $0.key.user != user } }
}

/// A sync token (§3.2): a place in the order of changes, and for a backward reading where it is.
private struct SyncToken {
  var since: Int
  /// The last commit when it was given out: by it, it grows old.
  var csn: Int
  /// Reading backwards: everything from here on has been shown.
  var below: Int?
  /// Reading backwards: the place at which it began.
  var end: Int?

  /// Opaque and bound to a zone and a user by the digest of both.
  func text(_ binding: Digest) -> String {
    let numbers = [since, csn, below ?? -1, end ?? -1].map { String($0, radix: 36) }
    let payload = numbers.joined(separator: "_")
    var digest = binding
    digest.mix(payload)
    return payload + "." + digest.hexadecimal
  }

  init(since: Int, csn: Int, below: Int? = nil, end: Int? = nil) {
    self.since = since
    self.csn = csn
    self.below = below
    self.end = end
  }

  init?(_ text: String, _ binding: Digest) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    var digest = binding
    digest.mix(String(parts[0]))
    let numbers = parts[0].split(separator: "_").compactMap { Int($0, radix: 36) }
    guard digest.hexadecimal == parts[1], numbers.count == 4 else { return nil }
    since = numbers[0]
    csn = numbers[1]
    below = numbers[2] < 0 ? nil : numbers[2]
    end = numbers[3] < 0 ? nil : numbers[3]
  }
}

extension MimiSupplyTwin {
  // MARK: records/changes

  mutating func changes(_ asked: FeedQuery, at place: Place, _ now: Instant) -> Answer {
    guard place.database != .public, let zone = asked.zone, zone.zoneName != Zone.defaultName else {
      return .failure(.invalid("a feed needs the zoneID of a custom zone"))
    }
    if let limit = asked.resultsLimit, limit < 1 {
      return .failure(.invalid("resultsLimit is at least 1"))
    }
    let binding = feedBinding(zone, place)
    var token = SyncToken(since: 0, csn: csn)
    if let sent = asked.syncToken {
      guard let read = SyncToken(sent, binding) else {
        return .failure(.invalid("the syncToken belongs to another zone or user"))
      }
      if let failure = expiry(of: read) { return .failure(failure) }
      token = read
    }
    let state = lookAt(zone, place, now)
    let isFirst = asked.syncToken == nil
    var items = feedItems(state, since: token.since, isFirst: isFirst)
    if let below = token.below { items.removeAll { $0.position >= below } }
    items.sort { asked.reverse ? $0.position > $1.position : $0.position < $1.position }
    if let types = asked.desiredRecordTypes { items.removeAll { !types.contains($0.type) } }
    let page = items.prefix(min(asked.resultsLimit ?? .max, settings.maxRecordsPerResponse))
    let more = page.count < items.count
    let end = token.end ?? shelf.position
    var next = SyncToken(since: end, csn: csn)
    if more, let last = page.last {
      next =
        asked.reverse
        ? SyncToken(since: token.since, csn: csn, below: last.position, end: end)
        : SyncToken(since: last.position, csn: csn)
    }
    var results: [ItemResult] = []
    results.reserveCapacity(page.count)
    let keys = asked.desiredKeys.map(FieldNames.init)
    var shown: [CloudRecord] = []
    for item in page {
      guard !item.isGone, let record = shelf.record(item.name) else {
        results.append(.deleted(recordName: item.name))
        continue
      }
      work.rowsRead += 1
      results.append(.saved(outgoing(record, keys, at: now)))
      shown.append(record)
    }
    let reader = actor(of: place.identity)
    noteReading(shown, by: place.identity, reader, at: now)
    market.noteShown(shown, to: reader)
    return .success(
      .feed(results, syncToken: next.text(binding), moreComing: more))
  }

  private struct FeedItem {
    let name: RecordName
    let type: RecordType
    let position: Int
    let isGone: Bool
  }

  /// Everything behind a place, each record once, in its latest state.
  private func feedItems(_ state: Feeds.State, since: Int, isFirst: Bool) -> [FeedItem] {
    var items: [FeedItem] = []
    for (name, entered) in state.entered {
      guard let entry = shelf.entry(name) else { continue }
      let position = max(entry.position, entered)
      guard position > since else { continue }
      items.append(
        FeedItem(name: name, type: entry.record.type, position: position, isGone: false))
    }
    // Who begins anew has nothing that could have gone.
    guard !isFirst, rules.binds(.ms11) else { return items }
    for (name, gone) in state.left where gone.position > since {
      items.append(FeedItem(name: name, type: gone.type, position: gone.position, isGone: true))
    }
    return items
  }

  /// Brings what is known of a zone's visible set up to now.
  private mutating func lookAt(_ zone: Zone, _ place: Place, _ now: Instant) -> Feeds.State {
    let key = feedKey(zone, place)
    var state = feeds.states.removeValue(forKey: key) ?? Feeds.State()
    let actor = actor(of: place.identity)
    var visible: [(name: RecordName, position: Int, type: RecordType)] = []
    for name in shelf.names(inZone: zone.zoneName) {
      guard let entry = shelf.entry(name), isInReach(entry.record, at: place.naming(zone)),
        market.isVisible(entry.record, to: actor, on: shelf, at: now)
      else { continue }
      visible.append((name, entry.position, entry.record.type))
    }
    let names = Set(visible.map(\.name))
    for name in state.entered.keys.sorted() where !names.contains(name) {
      state.left[name] = (shelf.takePosition(), state.types[name] ?? "")
      state.entered[name] = nil
      state.types[name] = nil
    }
    for (name, _, type) in visible.sorted(by: { $0.position < $1.position })
    where state.entered[name] == nil {
      state.entered[name] = shelf.takePosition()
      state.left[name] = nil
      state.types[name] = type
    }
    feeds.states[key] = state
    return state
  }

  private func feedKey(_ zone: Zone, _ place: Place) -> Feeds.Key {
    Feeds.Key(
      user: place.identity.user ?? "", database: place.database, zone: zone.zoneName,
      owner: foreignOwner(of: zone, place))
  }

  private func feedBinding(_ zone: Zone?, _ place: Place) -> Digest {
    var digest = Digest()
    digest.mix(secret)
    digest.mix(place.identity.user ?? "")
    digest.mix(place.database.rawValue)
    digest.mix(zone?.zoneName ?? "")
    digest.mix(zone.flatMap { foreignOwner(of: $0, place) } ?? "")
    return digest
  }

  /// Who names himself as a zone's owner means what he means without.
  private func foreignOwner(of zone: Zone, _ place: Place) -> UserName? {
    zone.ownerRecordName == place.identity.user ? nil : zone.ownerRecordName
  }

  private func expiry(of token: SyncToken) -> Failure? {
    guard let limit = settings.changeHistoryLimit, csn - token.csn > limit else {
      return nil
    }
    return Failure(
      .badRequest, .changeTokenExpired, "the syncToken is older than the kept history")
  }

  /// A token from which the feed of a zone goes on.
  mutating func syncToken(of zone: Zone, at place: Place, _ now: Instant) -> String {
    _ = lookAt(zone, place, now)
    return SyncToken(since: shelf.position, csn: csn).text(feedBinding(zone, place))
  }

  // MARK: zones/changes

  mutating func changedZones(
    since token: String?, at place: Place, _ now: Instant
  ) -> Answer {
    let binding = feedBinding(nil, place)
    var since = 0
    if let token {
      guard let read = SyncToken(token, binding) else {
        return .failure(.invalid("the syncToken belongs to another database or user"))
      }
      if let failure = expiry(of: read) { return .failure(failure) }
      since = read.since
    }
    var changed: [ZoneResult] = []
    if place.database != .public, let user = place.identity.user {
      let made = Dictionary(
        uniqueKeysWithValues: zones.made(by: user).map { ($0.name, $0) })
      for zone in ownZones(at: place) where zone.zoneName != Zone.defaultName {
        let state = lookAt(zone, place, now)
        let isNew = (made[zone.zoneName]?.position ?? 0) > since
        guard isNew || !feedItems(state, since: since, isFirst: token == nil).isEmpty else {
          continue
        }
        changed.append(
          .zone(zone, atomic: true, syncToken: syncToken(of: zone, at: place, now)))
      }
      for gone in made.values.sorted(by: { $0.name < $1.name })
      where gone.isDeleted && gone.position > since && place.database == .private {
        changed.append(.deleted(Zone(gone.name, owner: user)))
      }
    }
    return .success(
      .zoneChanges(changed, syncToken: SyncToken(since: shelf.position, csn: csn).text(binding)))
  }
}

extension Place {
  func naming(_ zone: Zone) -> Place { Place(database: database, zone: zone, identity: identity) }
}
