import Contracts
import MimiSupplyContract
import Timekeeping

// Fixtures (§11): entities with given names, judged by the schema and orders by their sums; one that is wrong refuses the
// whole load, and the refusal says where it stands.
extension MimiSupplyTwin {
  mutating func load(_ fixture: Fixture, at now: Instant) -> Answer {
    let entries =
      fixture.users.enumerated().map { ("users[\($0)]", $1.entry) }
      + fixture.records.enumerated().map { ("records[\($0)]", $1) }
    var changes: [Change] = []
    // A name is unique in its database.
    var names: Set<RecordName> = []
    var publicNames: Set<RecordName> = []
    for (path, entry) in entries {
      let place = "load: \(path) '\(printable(entry.name.text))': "
      let publicly = CloudRecord.isPublic(entry.type)
      let isNew =
        publicly
        ? publicNames.insert(entry.name).inserted : names.insert(entry.name).inserted
      guard isNew, shelf.record(entry.name, publicly: publicly) == nil else {
        return .failure(.invalid(place + "there is a record of this name already; take another"))
      }
      let change = completed(Change(from: nil, to: entry.record(at: now)), at: now)
      if let failure = market.malformation(of: change) ?? market.sumFailure(of: change) {
        return .failure(
          Failure(
            failure.code, failure.native, place + failure.reason, mimiReason: failure.mimiReason))
      }
      changes.append(change)
    }
    var tokens: Set<String> = []
    for (index, session) in fixture.sessions.enumerated() {
      let place = "load: sessions[\(index)]: "
      guard names.contains(session.user.profile) || shelf.record(session.user.profile) != nil else {
        return .failure(
          .invalid(
            place
              + "there is no user '\(printable(session.user.text))'; load it with the session or before"
          ))
      }
      guard tokens.insert(session.token).inserted, accounts.sessions[session.token] == nil else {
        return .failure(.invalid(place + "its token is another session's already; take another"))
      }
    }
    // In the order in which one refers to the other.
    let order = RecordSchema.types
    changes.sort { order.firstIndex(of: $0.type)! < order.firstIndex(of: $1.type)! }
    for change in changes { commit([change], by: .system, cause: .fixture, at: now) }
    accounts.haveRole.formUnion(fixture.users.map(\.name))
    for session in fixture.sessions {
      accounts.sessions[session.token] = Accounts.Session(
        user: session.user, device: session.deviceID,
        expiresAt: session.expiresAt ?? now + settings.sessionLifetime)
    }
    return .success(.done)
  }

  /// Values without a type take the schema's, and what the twin keeps itself begins where it begins.
  private func completed(_ change: Change, at now: Instant) -> Change {
    guard var after = change.after, let schema = RecordSchema.of(after.type) else { return change }
    let moment = FieldValue.timestamp(now.toMilliseconds)
    let initial: Fields = [
      .createdAt: moment, .updatedAt: moment, .lastActiveAt: moment, .rating: .double(0),
      .reviewCount: .int64(0), .completedDeliveries: .int64(0), .isVerified: .int64(0),
    ]
    for (field, value) in initial.declared where after.fields[field] == nil && schema.has(field) {
      after.fields[field] = value
    }
    schema.type(&after)
    return Change(from: nil, to: after)
  }
}

extension Fixture.User {
  /// The profile.
  var entry: Fixture.Entry {
    var fields = fields
    fields[.appleUserID] = .string(appleUserID)
    fields[.role] = .string(role)
    return Fixture.Entry(name.profile, type: .userProfile, creator: name, fields: fields)
  }
}

extension Fixture.Entry {
  fileprivate func record(at now: Instant) -> CloudRecord {
    let stamp = Stamp(now, by: creator, on: nil)
    let isPublic = RecordSchema.of(type)?.isPublic ?? false
    return CloudRecord(
      name: name, type: type, changeTag: "",
      zone: isPublic ? Zone() : Zone(zoneName, owner: creator), fields: fields, created: stamp,
      modified: stamp)
  }
}
