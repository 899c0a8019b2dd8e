import Contracts
import Journeys

/// Signals that reached a person and that nobody has taken yet, the earliest first.
struct Mailbox<Contract: ServiceContract> {
  /// One that nobody empties would grow for ever.
  static var most: Int { 64 }

  private var letters: [Received<Contract>] = []

  init() {}

  var count: Int { letters.count }

  /// Puts a signal in; of too many the oldest goes.
  mutating func put(_ letter: Received<Contract>) {
    letters.append(letter)
    if letters.count > Self.most { letters.removeFirst() }
  }

  /// Takes the earliest that is wanted out.
  mutating func take(
    where isWanted: (Contract.Signal) -> Bool
  ) -> Received<Contract>? {
    guard let place = letters.firstIndex(where: { isWanted($0.signal) }) else { return nil }
    return letters.remove(at: place)
  }
}
