import Contracts

extension MimiSupply.Rule {
  /// §4.9 Concurrency and synchronisation: MS-82 to MS-89.
  static let synchronising = Theme<Self>([
    .ms82: "The change tag changes with every successful modification of the record and only then."
      .stated(in: "CloudKit"),
    .ms83: """
    A write with stale tag changes nothing and returns CONFLICT with server, client and ancestor \
    record.
    """.stated(
      in: """
        Seed (CKErrorServerRecordChanged), CloudKit. Read so, with MS-106: a driver who claims too \
        late gets his own copy, as ancestor the state that he was shown if his tag names it, and \
        no copy of the server's
        """),
    .ms84: "Force operations never bypass permissions or domain rules.".stated(in: "Decision"),
    .ms85: """
    No lost update: with tagged writes every accepted change is based on the immediately preceding \
    state. Histories are linearisable per record.
    """.stated(in: "CloudKit; Decision"),
    .ms86: """
    Simulated clients resolve conflicts as in 7.3, including the merge rules per record type.
    """.stated(in: "01_…, 03_…, ConflictResolutionService.swift", keptBy: .device),
    .ms87: """
    Conflict between delivered and cancelled: delivered wins regardless of times. On the server it \
    follows from MS-58/MS-60.
    """.stated(in: "DataLayerIntegrationTests.swift", keptBy: .device),
    .ms88: """
    Operations queued offline take effect exactly once after reconnection, or end in a reported \
    final failure.
    """.stated(in: "Seed (\"Offline-Modus aktivieren\"), OfflineManager.swift", keptBy: .device),
    .ms89: "The offline queue is first in, first out per record."
      .stated(in: "OfflineManager.swift", keptBy: .device),
  ])
}
