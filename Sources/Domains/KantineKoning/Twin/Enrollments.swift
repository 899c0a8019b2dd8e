import Contracts
import KantineKoningContract
import Timekeeping

/// A row of `device_enrollments` (§2.4).
struct Enrollment: Sendable {
  let deviceID: String
  let club: Int
  let role: Role
  var teamCodes: [String]
  var managerEmail: String?
  let hardwareIdentifier: String
  /// `nil` while active.
  var revokedReason: KantineKoning.RevocationReason?
  var revokedAt: Instant?
  var apnsDeviceToken: String?
  var buildEnvironment: String?
  var platform: String?
  var appVersion: String?
  var buildNumber: String?
  var isTestUser = false
  var pushEnabled = true
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
  private var byDevice: [String: Int] = [:]
  /// By the key that links a phone's enrollments; rows without one are in no phone.
  private var phones: [String: Phone] = [:]

  subscript(row: Int) -> Enrollment {
    get { rows[row]! }
    _modify { yield &rows[row]! }
  }

  /// The rows in use, in order of their numbers.
  var inUse: some Sequence<Int> { rows.indices.lazy.filter { rows[$0] != nil } }

  func row(deviceID: String) -> Int? { byDevice[deviceID] }
  func phone(_ key: String) -> Phone { phones[key] ?? Phone() }

  @discardableResult
  mutating func insert(_ enrollment: Enrollment, phone key: String?) -> Int {
    let row: Int
    if let reused = free.popLast() {
      row = reused
      rows[row] = enrollment
    } else {
      row = rows.count
      rows.append(enrollment)
    }
    byDevice[enrollment.deviceID] = row
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
    _ row: Int, _ reason: KantineKoning.RevocationReason, phone key: String?, at now: Instant
  ) {
    guard self[row].isActive else { return }
    self[row].revokedReason = reason
    self[row].revokedAt = now
    self[row].updatedAt = now
    guard let key, let position = phones[key]?.active.firstIndex(of: row) else { return }
    phones[key]!.active.remove(at: position)
    phones[key]!.past.append(row)
  }

  /// Deletes a row for good, as a season's reset does.
  mutating func delete(_ row: Int, phone key: String?) {
    let deviceID = self[row].deviceID
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
