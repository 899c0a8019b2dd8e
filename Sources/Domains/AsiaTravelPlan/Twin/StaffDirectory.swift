import AsiaTravelPlanContract
import Contracts

/// The staff records in stored order, and who is meant by a username.
struct StaffDirectory: Sendable {
  private(set) var records: [StaffRecord] = []
  private var byID: [String: Int] = [:]
  /// By usernames as they are compared: the first record in stored order.
  private var byUsername: [String: Int] = [:]
  /// By `sub`, whom a caller was taken for at first, with ATP-56 off.
  var remembered: [String: Int?] = [:]

  func known(_ id: String) -> Int? { byID[id] }
  func record(named username: String) -> Int? { byUsername[username] }

  mutating func set(_ record: StaffRecord) {
    if let number = byID[record.id] {
      records[number] = record
    } else {
      byID[record.id] = records.count
      records.append(record)
    }
    byUsername = [:]
    for (number, record) in records.enumerated() {
      for name in record.usernames where byUsername[name] == nil { byUsername[name] = number }
    }
  }
}

/// Staff records and who is mapped to them (4.6, section 6).
extension AgencyTwin {
  static let ofStaff = RulesOfFile<AsiaTravelPlan.Rule>(
    .atp52, .atp54, .atp55, .atp56)

  /// The record of a caller; `nil` for who has none.
  func record(of caller: Principal) -> Int? {
    let found =
      rules.binds(.atp56) ? look(up: caller) : staff.remembered[caller.sub] ?? look(up: caller)
    guard let found, deployment.blocksInactiveStaff, !staff.records[found].isActive else {
      return found
    }
    return nil
  }

  /// With ATP-56 off a caller stays whom the first request found.
  mutating func remember(_ caller: Principal) {
    if staff.remembered[caller.sub] == nil {
      staff.remembered.updateValue(look(up: caller), forKey: caller.sub)
    }
  }

  private func look(up caller: Principal) -> Int? {
    if let username = caller.username, let found = record(of: username) { return found }
    guard deployment.mapsFallbacks || !rules.binds(.atp52) else { return nil }
    return record(of: caller.sub) ?? caller.email.flatMap { record(of: $0) }
  }

  private func record(of username: String) -> Int? {
    let name = StaffRecord.normalised(username)
    guard !name.isEmpty else { return nil }
    if rules.binds(.atp54) { return staff.record(named: name) }
    return staff.records.firstIndex { $0.usernames.contains { name.hasPrefix($0) } }
  }

  // MARK: The directory (OP-09, OP-10, OP-11)

  func directory(
    _ withInactive: Bool, for caller: Principal?
  ) throws(AsiaTravelPlan.Refusal) -> AsiaTravelPlan.Reply {
    try require(allows(.directory, caller), or: .forbidden)
    let shown = staff.records.filter { $0.isActive || withInactive }
    return .staff(
      shown.sorted {
        ($0.name.lowercased(), $0.name, $0.id) < ($1.name.lowercased(), $1.name, $1.id)
      })
  }

  mutating func addStaff(
    _ asked: NewStaff, as caller: Principal?
  ) throws(AsiaTravelPlan.Refusal) -> AsiaTravelPlan.Reply {
    try require(allows(.addStaff, caller), or: .forbidden)
    try requireBody(isNull: asked.isNull)
    let name = asked.name?.trimmed ?? ""
    try require(!name.isEmpty, or: .nameRequired)
    var record = StaffRecord(
      id: "staff_" + identifiers.text(), name: name, isActive: asked.isActive ?? true,
      usernames: asked.usernames ?? [], destinations: trimmed(asked.destinations),
      languages: trimmed(asked.languages))
    record.normalise()
    try require(!record.usernames.isEmpty, or: .usernameRequired)
    try set(record)
    return .staffRecord(record)
  }

  private func trimmed(_ texts: [String]?) -> [String] {
    (texts ?? []).map(\.trimmed).filter { !$0.isEmpty }
  }

  mutating func set(_ given: StaffRecord) throws(AsiaTravelPlan.Refusal) {
    var record = given
    record.normalise()
    let other = record.usernames.compactMap { staff.record(named: $0) }
      .first { staff.records[$0].id != record.id }
    if let other, rules.binds(.atp55) {
      throw .api(.usernameInUse, about: staff.records[other].name)
    }
    staff.set(record)
    work.rowsWritten += 1
  }

  func me(_ caller: Principal?) throws(AsiaTravelPlan.Refusal) -> AsiaTravelPlan.Reply {
    try require(!differences.contains(.noMe), or: .notFound)
    try require(allows(.me, caller), or: .forbidden)
    guard let caller else { return .identity(Identity(nil)) }
    return .identity(
      Identity(
        Identity.User(
          sub: caller.sub, preferredUsername: caller.username, email: caller.email,
          roles: Role.allCases.filter(caller.roles.contains),
          staffID: caller.roles.contains(.staff)
            ? record(of: caller).map { staff.records[$0].id } : nil)))
  }
}

extension StaffRecord {
  /// Usernames trimmed, in lower case, each once (2.5).
  fileprivate mutating func normalise() {
    var names: [String] = []
    for name in usernames.map({ StaffRecord.normalised($0) })
    where !name.isEmpty && !names.contains(name) {
      names.append(name)
    }
    usernames = names
  }
}
