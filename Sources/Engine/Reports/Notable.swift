import Observations
import Runs

extension Run {
  /// Operations that people meet, slowest first: each makes up at least a hundredth of its world's requests, or is more than
  /// twice as slow as all that do. With few requests the largest tail is mostly chance, and no headline.
  var notableOperations: [LatencyResult] {
    var requests: [String: Int] = [:]
    for latency in latencies { requests[latency.world, default: 0] += latency.count }
    func isCommon(_ latency: LatencyResult) -> Bool {
      latency.count * 100 >= requests[latency.world, default: 0]
    }
    let ordered = slowestFirst
    let slowest = ordered.first(where: isCommon)?.tail ?? 0
    return ordered.filter { isCommon($0) || $0.tail > 2 * slowest }
  }

  /// Business latencies by what they say about the product; equals keep the domain's order.
  var businessByWeight: [BusinessResult] {
    business.enumerated().sorted { a, b in
      (a.element.notes.weight.place, a.offset) < (b.element.notes.weight.place, b.offset)
    }.map(\.element)
  }

  /// What people use the product for, least finished first; where no domain says what that is, whatever is least finished.
  var centralBusiness: [BusinessResult] {
    let begun = business.filter { $0.begun > 0 }
    let central = begun.filter { $0.notes.weight == .first }
    let chosen =
      central.isEmpty
      ? begun.filter { $0.notes.weight == .usual && $0.shareFinished < 1 } : central
    return chosen.enumerated().sorted { a, b in
      (a.element.shareFinished, a.offset) < (b.element.shareFinished, b.offset)
    }.map(\.element)
  }

  /// What took longer than its documents say, the largest share first.
  var lateBusiness: [BusinessResult] {
    business.enumerated().filter { ($0.element.late ?? 0) > 0 && $0.element.limit != nil }
      .sorted { a, b in
        (b.element.shareLate, a.offset) < (a.element.shareLate, b.offset)
      }.map(\.element)
  }
}

extension BusinessNotes.Weight {
  fileprivate var place: Int {
    switch self {
    case .first: 0
    case .usual: 1
    case .last: 2
    }
  }
}

extension BusinessResult {
  var begun: Int { count + unfinished + abandoned }
  var shareFinished: Double { begun > 0 ? Double(count) / Double(begun) : 1 }
  var shareLate: Double {
    let known = count + unfinished
    return known > 0 ? Double(late ?? 0) / Double(known) : 0
  }

  /// How it went, in one or two sentences; `nil` where nothing began.
  var outcomeInWords: String? {
    guard begun > 0 else { return nil }
    let texts = Texts.english
    return texts.outcome(
      of: title.excerpt, finished: count, abandoned: abandoned,
      whatIsAbandoned: notes.abandoned, open: unfinished,
      times: [0.5, 0.9].compactMap { q in
        quantiles.first { abs($0.q - q) < 1e-9 && $0.isTold(by: count + unfinished) }
          .flatMap(\.seconds).map { (q, Figures.duration($0)) }
      })
  }

  /// How many took longer than the documented bound, and why the rule held where it did; `nil` where none did.
  var latenessInWords: String? {
    guard let boundSeconds, let limit, let late, late > 0 else { return nil }
    return Texts.english.late(
      late, of: count + unfinished, bound: Figures.duration(boundSeconds), limit: limit.excerpt,
      verdict: verdict, excuse: notes.excuse)
  }
}
