import KantineKoningContract
import Timekeeping

/// O10: the phone's push token, for all its enrollments in every tenant (KK-90).
extension KantineKoningTwin {
  mutating func updateApnsToken(
    _ update: ApnsTokenUpdate, as session: Session, at now: Instant
  ) -> Answer {
    guard (1...Self.apnsTokenBytesMost).contains(update.token.utf8.count) else {
      return .refused(.invalidParameter, "apns_device_token has 1 to 256 bytes")
    }
    let rows = hasOnePushToken ? scope(of: session) : [session.row]  // KK-90
    work.rowsRead += rows.count
    for row in rows {
      enrollments.setToken(update.token, on: row)
      enrollments[row].buildEnvironment = update.buildEnvironment
      if let version = update.appVersion { enrollments[row].appVersion = version }
      if let build = update.buildNumber { enrollments[row].buildNumber = build }
      enrollments[row].updatedAt = now
    }
    work.rowsWritten += rows.count
    return .success(.apnsTokenUpdated(rows.count))
  }

  /// Whether a phone's newest push token is that of all its enrollments (KK-90).
  var hasOnePushToken: Bool { rules.binds(.kk90) }
}
