import Foundation
import Synchronization

/// Tokens that were given, and who came with one.
enum Gate {
  private struct State {
    var tokens: [String: Date] = [:]
    var (passed, refused) = (0, 0)
  }

  private static let state = Mutex(State())

  static func give() -> String {
    state.withLock { state in
      let token = "t0ken-\(state.tokens.count + 1)"
      state.tokens[token] = Date()
      return token
    }
  }

  /// A token is good for a second, and for another of grace: who comes with it may have been under way.
  static func look(at head: String) {
    let marker = "x-gate: bearer "
    let shown = head.lowercased().firstRange(of: marker).map { range in
      head.lowercased()[range.upperBound...].prefix { $0 != "\r" && $0 != "\r\n" }
    }
    state.withLock { state in
      let given = shown.flatMap { state.tokens[String($0)] }
      if let given, Date().timeIntervalSince(given) < 2 {
        state.passed += 1
      } else {
        state.refused += 1
      }
    }
  }

  static var seen: String {
    state.withLock {
      #"{"tokens": \#($0.tokens.count), "passed": \#($0.passed), "refused": \#($0.refused)}"#
    }
  }
}
