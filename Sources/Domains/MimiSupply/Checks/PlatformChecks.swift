import Contracts
import MimiSupplyContract
import Observations
import Timekeeping

/// Judges §4.1: the limits of the platform.
enum PlatformChecks {
  static let all: [MSCheck] =
    rates + [recordSize, assetSize, requestSize, mediaCaps] + BatchChecks.all + ScanChecks.all

  // MARK: MS-01 to MS-03

  static let rates: [MSCheck] = [
    .decided(.ms01, .admission, by: RateFacts.self),
    .decided(.ms02, .wait, by: RateFacts.self)
      + .each(.ms02, .anything) { call, judge in
        guard let failure = call.failure,
          failure.code == .throttled || failure.native == .requestRateLimited
        else { return }
        judge.expect(
          isTold(failure),
          "a throttled request is told \(failure.code), \(failure.native)"
            + " and to wait \(failure.retryAfter.map { "\($0)" } ?? "for nothing")")
      },
    .decided(.ms03, .sharing, by: RateFacts.self),
  ]

  private static func isTold(_ failure: Failure) -> Bool {
    guard let wait = failure.retryAfter else { return false }
    return failure.code == .throttled && failure.native == .requestRateLimited && wait > .zero
      && wait <= .seconds(1)
  }

  // MARK: MS-04

  /// Records near the limit.
  static let recordSize = MSCheck.history(
    .ms04, .asking(.modify), by: PlatformSettings.self, LargeRecords.init)

  // MARK: MS-05

  /// Judges each call of some operations by the settings in force.
  private static func sized(
    _ limit: MimiSupply.Rule, _ operations: Set<Concern>,
    _ judge: @escaping @Sendable (SeenCall, PlatformSettings, inout Judge) -> Void
  ) -> MSCheck {
    .each(limit, operations, by: PlatformSettings.self) { call, settings, verdict in
      if call.sent >= settings.since { judge(call, settings, &verdict) }
    }
  }

  static let assetSize = sized(.ms05, .asking(.upload)) { call, settings, judge in
    guard case .upload(let upload) = call.request else { return }
    let size: Int
    switch upload.content {
    case .bytes(let bytes): size = bytes.count
    case .synthetic(let bytes, _): size = bytes
    case .unreadable: return
    }
    let isRefused = call.failure?.mimiReason == "asset_too_large"
    if size > settings.maxAssetBytes {
      if call.outcome.isReplied { judge.violated("a file of \(size) bytes was taken") }
      guard isRefused, let failure = call.failure else { return }
      judge.expect(
        failure.code == .badRequest && failure.native == .limitExceeded,
        "a file of \(size) bytes is refused with \(failure.code), \(failure.native)")
    } else if isRefused || call.outcome.isReplied {
      judge.expect(!isRefused, "a file of \(size) bytes was refused as too large")
    }
  }

  // MARK: MS-07

  static let requestSize = sized(
    .ms07, .asking(.modify, .query, .lookup, .changes)
  ) { call, settings, judge in
    let most = settings.maxRecordsPerResponse
    switch call.content {
    case .found(let records, _):
      if records.count >= most {
        judge.expect(records.count == most, "one answer has \(records.count) records")
      }
    case .feed(let items, _, _):
      if items.count >= most {
        judge.expect(items.count == most, "one answer has \(items.count) records")
      }
    default: break
    }
    guard case .modify(_, let modification) = call.request else { return }
    judgeSize(of: modification, call, settings, &judge)
  }

  private static func judgeSize(
    of modification: Modification, _ call: SeenCall, _ settings: PlatformSettings,
    _ judge: inout Judge
  ) {
    let isRefused = call.failure?.native == .limitExceeded
    let count = modification.items.count
    let bytes = bytes(of: modification, call, settings, isRefused)
    if count > settings.maxOperationsPerRequest || bytes ?? 0 > settings.maxRequestBytes {
      let what = "a request of \(count) operations and \(bytes ?? 0) bytes"
      if call.outcome.isReplied { judge.violated("\(what) was worked on") }
      guard isRefused, let failure = call.failure else { return }
      judge.expect(
        failure.code == .badRequest, "\(what) is refused with \(failure.code)")
    } else if isRefused {
      judge.violated("a request of \(count) operations and \(bytes ?? 0) bytes was refused")
    } else if call.outcome.isReplied, count == settings.maxOperationsPerRequest || bytes != nil {
      judge.held()
    }
  }

  /// The length of the body, where it can matter: texts alone are nearly as long as the limit, or it was refused.
  private static func bytes(
    of modification: Modification, _ call: SeenCall, _ settings: PlatformSettings,
    _ isRefused: Bool
  ) -> Int? {
    let texts = modification.items.reduce(0) { $0 + $1.record.sizeInBytes }
    guard
      texts > settings.maxRequestBytes / 2
        || (isRefused && modification.items.count <= settings.maxOperationsPerRequest)
    else { return nil }
    return MimiSupply.document(of: call.request).bytes.count
  }

  // MARK: MS-08

  /// §2.2, §2.3: pieces and bytes of each.
  private static let caps: [(type: RecordType, field: FieldName, pieces: Int, bytes: Int)] = [
    (.partner, .heroImage, 1, 5 << 20), (.partner, .logo, 1, 2 << 20),
    (.product, .images, 10, 3 << 20),
  ]

  static let mediaCaps = MSCheck.eachWrite(.ms08) { item, result, _, judge in
    for cap in caps {
      guard case .some(.some(let sent)) = item.record.fields[cap.field] else { continue }
      let files = result?.record?.type == cap.type ? result?.record?.fields[cap.field]?.files : nil
      if let files, !files.isEmpty {
        let most = files.map(\.size).max() ?? 0
        judge.expect(
          files.count <= cap.pieces && most <= cap.bytes,
          "\(cap.field.text) of \(files.count) files, up to \(most) bytes, was taken")
      } else if let failure = result?.failure, isAboutMedia(failure) {
        let most = sent.files.map(\.size).max() ?? 0
        let reason = sent.files.count > cap.pieces ? "too_many_images" : "media_too_large"
        judge.expect(
          failure.mimiReason == reason && (sent.files.count > cap.pieces || most > cap.bytes),
          "\(cap.field.text) of \(sent.files.count) files, up to \(most) bytes, is refused as "
            + (failure.mimiReason ?? ""))
      }
    }
  }

  private static func isAboutMedia(_ failure: Failure) -> Bool {
    failure.mimiReason == "media_too_large" || failure.mimiReason == "too_many_images"
  }
}
