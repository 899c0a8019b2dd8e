import Contracts

extension MimiSupply.Rule {
  /// §4.9 Concurrency and synchronisation: MS-82 to MS-89.
  static let synchronising = Theme<Self>([
    .ms82: Stated(
      "The change tag changes with every successful modification of the record and only then.",
      source: "CloudKit"),
    .ms83: Stated(
      """
      A write with stale tag changes nothing and returns CONFLICT with server, client and ancestor \
      record.
      """,
      source: """
        Seed (CKErrorServerRecordChanged), CloudKit. Read so, with MS-106: a driver who claims too \
        late gets his own copy, as ancestor the state that he was shown if his tag names it, and \
        no copy of the server's
        """),
    .ms84: Stated("Force operations never bypass permissions or domain rules.", source: "Decision"),
    .ms85: Stated(
      """
      No lost update: with tagged writes every accepted change is based on the immediately \
      preceding state. Histories are linearisable per record.
      """, source: "CloudKit; Decision"),
    .ms86: Stated(
      "Simulated clients resolve conflicts as in 7.3, including the merge rules per record type.",
      source: "01_…, 03_…, ConflictResolutionService.swift", keeper: .device),
    .ms87: Stated(
      """
      Conflict between delivered and cancelled: delivered wins regardless of times. On the server \
      it follows from MS-58/MS-60.
      """, source: "DataLayerIntegrationTests.swift", keeper: .device),
    .ms88: Stated(
      """
      Operations queued offline take effect exactly once after reconnection, or end in a reported \
      final failure.
      """, source: "Seed (\"Offline-Modus aktivieren\"), OfflineManager.swift", keeper: .device),
    .ms89: Stated(
      "The offline queue is first in, first out per record.", source: "OfflineManager.swift",
      keeper: .device),
  ])
}
