import Contracts
import Timekeeping

/// A signal as a served twin's control plane lists it.
struct SentSignal {
  let number: Int
  let at: Instant
  let document: JSON

  static func target(of domain: String, after number: Int) -> String {
    "/_rehearsal/\(domain)/signals?after=\(number)"
  }

  /// - Returns: `nil` for a document that is no such list.
  static func list(_ document: JSON) -> [SentSignal]? {
    guard let entries = document.array else { return nil }
    var list: [SentSignal] = []
    for entry in entries {
      guard let number = entry["number"]?.int, let signal = entry["signal"],
        let at = entry["at"]?.string.flatMap({ Instant($0) })
      else { return nil }
      list.append(SentSignal(number: number, at: at, document: signal))
    }
    return list
  }

  /// - Returns: `nil` where the control plane does not say.
  static func list(in ending: WireEnding) -> [SentSignal]? {
    guard case .response(let response) = ending.answer, response.status == 200 else { return nil }
    return response.body.flatMap(list)
  }
}

extension WireResponse {
  /// When a control plane made it, by the server's clock.
  var moment: Instant? { header(WireHeader.momentName).flatMap { Instant($0) } }
}
