import Contracts

extension MimiSupply {
  /// §4.9 Concurrency and synchronisation: MS-82 to MS-89.
  static let synchronisingLimits: [Limit] = [
    Limit(
      "MS-82",
      """
      The change tag changes with every successful modification of the record and only \
      then.
      """,
      source: "CloudKit"),
    Limit(
      "MS-83",
      """
      A write with stale tag changes nothing and returns CONFLICT with server, client and \
      ancestor record.
      """,
      source: """
        Seed (CKErrorServerRecordChanged), CloudKit. Read so, with MS-106: a driver who claims too late gets his own \
        copy, as ancestor the state that he was shown if his tag names it, and no copy of the server's
        """),
    Limit(
      "MS-84",
      """
      Force operations never bypass permissions or domain rules.
      """,
      source: "Decision"),
    Limit(
      "MS-85",
      """
      No lost update: with tagged writes every accepted change is based on the immediately \
      preceding state. Histories are linearisable per record.
      """,
      source: "CloudKit; Decision"),
    Limit(
      "MS-86",
      """
      Simulated clients resolve conflicts as in 7.3, including the merge rules per record \
      type.
      """,
      source: "01_…, 03_…, ConflictResolutionService.swift",
      keeper: .device),
    Limit(
      "MS-87",
      """
      Conflict between delivered and cancelled: delivered wins regardless of times. On the \
      server it follows from MS-58/MS-60.
      """,
      source: "DataLayerIntegrationTests.swift",
      keeper: .device),
    Limit(
      "MS-88",
      """
      Operations queued offline take effect exactly once after reconnection, or end in a \
      reported final failure.
      """,
      source: "Seed (\"Offline-Modus aktivieren\"), OfflineManager.swift",
      keeper: .device),
    Limit(
      "MS-89",
      """
      The offline queue is first in, first out per record.
      """,
      source: "OfflineManager.swift",
      keeper: .device),
  ]
}
