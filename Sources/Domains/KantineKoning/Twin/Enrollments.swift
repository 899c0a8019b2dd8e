import Contracts
import KantineKoningContract
import Timekeeping

/// A row of `device_enrollments` (§2.4).
struct Enrollment: Sendable {
  let deviceID: EnrollmentID
  let club: Int
  let role: Role
  /// Changed by `Enrollments.setTeamCodes` alone, which keeps the followers of a team.
  fileprivate(set) var teamCodes: [TeamName]
  var managerEmail: String?
  let hardwareIdentifier: HardwareID
  /// `nil` while active. Changed by `Enrollments` alone, as all that inspection shows.
  fileprivate(set) var revokedReason: KantineKoning.RevocationReason?
  var revokedAt: Instant?
  /// Changed by `Enrollments.setToken` alone.
  fileprivate(set) var apnsDeviceToken: String?
  var buildEnvironment: String?
  var platform: String?
  var appVersion: String?
  var buildNumber: String?
  var isTestUser = false
  var pushEnabled = true
  /// Codes of the teams whose mails a manager does without; what is not here is wanted (§2.4).
  var unwantedMail: [TeamName] = []
  var lastSeenAt: Instant
  let insertedAt: Instant
  var updatedAt: Instant

  var isActive: Bool { revokedReason == nil }
  var hasApnsToken: Bool { apnsDeviceToken != nil }
}

/// All enrollments of a cell, found by enrollment and by phone.
struct Enrollments: Sendable {
  /// Rows of one phone: those that count, and those that once did.
  struct Phone: Sendable {
    var active: [Int] = []
    var past: [Int] = []
  }

  /// Rows by number; a freed row is `nil` and used again.
  private(set) var rows: [Enrollment?] = []
  private var free: [Int] = []
  private var byDevice: [EnrollmentID: Int] = [:]
  /// By the key that links a phone's enrollments; rows without one are in no phone.
  private var phones: [HardwareID: Phone] = [:]
  /// Active rows by the team that they follow, in order of enrolling.
  private var followers: [Followed: [Int]] = [:]
  /// Rows by the push token that they hold.
  private var holders: [String: [Int]] = [:]
  /// What inspection shows of them and has changed.
  var changes = ChangeLog<EnrollmentID>()

  private struct Followed: Hashable {
    let club: Int
    let code: TeamName
  }

  subscript(row: Int) -> Enrollment {
    get { rows[row]! }
    _modify { yield &rows[row]! }
  }

  /// The rows in use, in order of their numbers.
  var inUse: some Sequence<Int> { rows.indices.lazy.filter { rows[$0] != nil } }

  func row(deviceID: EnrollmentID) -> Int? { byDevice[deviceID] }
  func phone(_ key: HardwareID) -> Phone { phones[key] ?? Phone() }

  /// The active enrollments that cover a team, the oldest first.
  func followers(of code: TeamName, in club: Int) -> [Int] {
    followers[Followed(club: club, code: code)] ?? []
  }

  /// The enrollments that hold a push token, active or revoked.
  func rows(withToken token: String) -> [Int] { holders[token] ?? [] }

  mutating func setTeamCodes(_ codes: [TeamName], on row: Int) {
    if self[row].isActive { unfollow(row) }
    self[row].teamCodes = codes
    changes.note(self[row].deviceID)
    if self[row].isActive { follow(row) }
  }

  mutating func setToken(_ token: String?, on row: Int) {
    guard self[row].apnsDeviceToken != token else { return }
    dropToken(of: row)
    self[row].apnsDeviceToken = token
    if let token { holders[token, default: []].append(row) }
  }

  private mutating func dropToken(of row: Int) {
    guard let token = self[row].apnsDeviceToken else { return }
    holders[token]?.removeAll { $0 == row }
    if holders[token]?.isEmpty == true { holders[token] = nil }
  }

  private mutating func follow(_ row: Int) {
    for code in self[row].teamCodes {
      followers[Followed(club: self[row].club, code: code), default: []].append(row)
    }
  }

  private mutating func unfollow(_ row: Int) {
    for code in self[row].teamCodes {
      let followed = Followed(club: self[row].club, code: code)
      followers[followed]?.removeAll { $0 == row }
      if followers[followed]?.isEmpty == true { followers[followed] = nil }
    }
  }

  @discardableResult
  mutating func insert(_ enrollment: Enrollment, phone key: HardwareID?) -> Int {
    let row: Int
    if let reused = free.popLast() {
      row = reused
      rows[row] = enrollment
    } else {
      row = rows.count
      rows.append(enrollment)
    }
    byDevice[enrollment.deviceID] = row
    changes.note(enrollment.deviceID)
    if let token = enrollment.apnsDeviceToken { holders[token, default: []].append(row) }
    if enrollment.isActive { follow(row) }
    if let key {
      if enrollment.isActive {
        phones[key, default: Phone()].active.append(row)
      } else {
        phones[key, default: Phone()].past.append(row)
      }
    }
    return row
  }

  /// Ends an active enrollment; the row stays, so that its token can be answered with the reason.
  mutating func revoke(
    _ row: Int, _ reason: KantineKoning.RevocationReason, phone key: HardwareID?, at now: Instant
  ) {
    guard self[row].isActive else { return }
    unfollow(row)
    explain(row, reason)
    self[row].revokedAt = now
    self[row].updatedAt = now
    guard let key, let position = phones[key]?.active.firstIndex(of: row) else { return }
    phones[key]!.active.remove(at: position)
    phones[key]!.past.append(row)
  }

  /// Says why an enrollment ended, or gives another reason.
  mutating func explain(_ row: Int, _ reason: KantineKoning.RevocationReason) {
    self[row].revokedReason = reason
    changes.note(self[row].deviceID)
  }

  /// Deletes a row for good, as a season's reset does.
  mutating func delete(_ row: Int, phone key: HardwareID?) {
    let deviceID = self[row].deviceID
    if self[row].isActive { unfollow(row) }
    dropToken(of: row)
    changes.note(deviceID)
    if byDevice[deviceID] == row { byDevice[deviceID] = nil }
    if let key {
      phones[key]?.active.removeAll { $0 == row }
      phones[key]?.past.removeAll { $0 == row }
      if let phone = phones[key], phone.active.isEmpty, phone.past.isEmpty { phones[key] = nil }
    }
    rows[row] = nil
    free.append(row)
  }
}
