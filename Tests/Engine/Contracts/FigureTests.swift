import Contracts
import Testing
import Timekeeping

private enum Rule: String, Contracts.Rule {
  case fg01

  static let themes: [Theme<Self>] = []
}

@Suite struct `Figures of rules` {
  @Test func `are read in words, with what they count`() {
    #expect("At most \(Figure(Rule.fg01, 3, "tools"))." == "At most three tools.")
    #expect(Figure(Rule.fg01, 12, "tries").description == "twelve tries")
    #expect(Figure(Rule.fg01, 13, "tries").description == "13 tries")
    #expect(Figure(Rule.fg01, 0, "tries").description == "0 tries")
  }

  @Test(arguments: [
    (Span.days(1), "a day"), (.hours(48), "two days"), (.hours(36), "36 hours"),
    (.minutes(90), "90 minutes"), (.seconds(1), "a second"), (.milliseconds(1_500), "1500 ms"),
  ])
  func `of time have the largest unit that counts them whole`(span: Span, words: String) {
    #expect(Figure(Rule.fg01, span).description == words)
  }
}

@Suite struct `Files of a domain` {
  @Test func `are found by their module`() {
    #expect(sourceFile("ToyTwin/ToyTwin.swift") == "Sources/Domains/Toy/Twin/ToyTwin.swift")
    let journey = "Sources/Domains/KantineKoning/Journeys/Phone.swift"
    #expect(sourceFile("KantineKoningJourneys/Phone.swift") == journey)
    #expect(sourceFile("Contracts/Rule.swift") == "Contracts/Rule.swift")
  }
}
