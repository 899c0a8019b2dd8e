import Contracts
import Observations
import ToyContract

extension Check<Toy> {
  /// Judges each call that was answered by what was certainly so throughout it.
  static func answered(
    _ rule: Toy.Rule, _ body: @escaping @Sendable (ToyCall, Shelf, inout Judge) -> Void
  ) -> Check {
    .ripe(rule, of: Shelf.self) { ripe, shelf, judge in body(ripe.call, shelf, &judge) }
  }
}

extension Call<Toy> {
  /// Whether a member certainly asked.
  func isByAMember(_ shelf: Shelf) -> Bool { shelf.roll.isCurrent(self) == true }

  var words: String { outcome.refusal?.kind.rawValue ?? "granted" }
}
