import Contracts
import Testing

@Suite struct `Numbers of names` {
  @Test func `are given in the order in which names are first seen`() {
    var numbering = Numbering<String>()
    #expect(numbering.known("anna") == nil)
    #expect(["anna", "ben", "anna", "cleo"].map { numbering.number(of: $0) } == [0, 1, 0, 2])
    #expect(numbering.known("ben") == 1 && numbering.names == ["anna", "ben", "cleo"])
  }

  @Test func `are given to whole numbers, too, be they small, large or negative`() {
    var numbering = Numbering<Int>()
    let names = [7, 0, 1_023, 1_024, .max, -1, 7, .max]
    #expect(numbering.known(7) == nil && numbering.known(.max) == nil && numbering.known(-1) == nil)
    #expect(names.map { numbering.number(of: $0) } == [0, 1, 2, 3, 4, 5, 0, 4])
    #expect(numbering.known(1_024) == 3 && numbering.known(6) == nil)
    #expect(numbering.names == [7, 0, 1_023, 1_024, .max, -1])
  }
}

@Suite struct `Rows of names` {
  @Test func `begin when a name is first seen, and are changed where they lie`() {
    var rows = Rows<String, [Int]> { [0] }
    #expect(rows.known("anna") == nil && rows.indices.isEmpty)
    let (anna, ben) = (rows.number(of: "anna"), rows.number(of: "ben"))
    rows[ben].append(7)
    #expect(rows.number(of: "anna") == anna && rows.known("ben") == ben)
    #expect(rows.indices.map { rows[$0] } == [[0], [0, 7]] && rows.names == ["anna", "ben"])
  }
}

@Suite struct `A value in memory of its own` {
  private final class Witness: Sendable {}

  private final class Holder {
    private struct Contents {
      var witness: Witness
      var text: String
    }

    private let held: Held

    init(_ witness: Witness, _ text: String) {
      held = Held(Contents(witness: witness, text: text)) { _ = $0.move() }
    }

    deinit { held.end() }
    var text: String { held.value(as: Contents.self).pointee.text }
  }

  @Test func `lives as long as whoever holds it`() {
    weak var seen: Witness?
    do {
      let witness = Witness()
      seen = witness
      let holder = Holder(witness, "a text that is too long to stand in a value by itself")
      #expect(holder.text.hasPrefix("a text"))
      #expect(seen != nil)
    }
    #expect(seen == nil)
  }
}
