import Contracts
import ScenarioFiles
import Scenarios
import Testing

@Suite struct `Environment values in scenario files` {
  private static let declaration = WorldDeclaration(
    domain: "canteen", title: "Canteen",
    population: [Setting("clubs", .count(1...500), .count(20), "Clubs", source: "an assumption")],
    parameters: [], quirks: [], profiles: [], operations: [], business: [], limits: [],
    controls: [])

  private static func text(clubs: String, title: String = "T", rest: String = "") -> String {
    """
    rehearsal: 1
    name: evening
    title: \(title)
    starts: 2026-03-21T06:00 Europe/Amsterdam
    lasts: ${LASTS:-18h}
    worlds: [{domain: canteen, population: {clubs: \(clubs)}}]
    \(rest)
    """
  }

  private func read(_ text: String, _ environment: [String: String] = [:]) throws -> Scenario {
    try ScenarioFile.read(
      Array(text.utf8), file: "s.yaml", declarations: [Self.declaration],
      environment: environment
    ).scenario
  }

  private func problems(_ text: String, _ environment: [String: String] = [:]) -> [String] {
    do {
      _ = try ScenarioFile.read(
        Array(text.utf8), file: "s.yaml", declarations: [Self.declaration],
        environment: environment)
      return []
    } catch {
      return error.problems.map(\.description)
    }
  }

  @Test
  func `a value or its default stands in blocks, lists and quotes as if it were written there`()
    throws
  {
    let text = Self.text(clubs: "${CLUBS:-4}", title: "\"${CITY:-Den Haag}: ${CLUBS:-4} clubs\"")
    let plain = try read(text)
    #expect(plain.worlds[0].population.count("clubs") == 4 && plain.title == "Den Haag: 4 clubs")
    let given = try read(text, ["CLUBS": "7", "CITY": "Zürich", "LASTS": ""])
    #expect(given.worlds[0].population.count("clubs") == 7 && given.title == "Zürich: 7 clubs")
    #expect(given.lasts == .hours(18))
  }

  @Test func `the digest is that of the text with its values, wherever they come from`() throws {
    let variable = try read(Self.text(clubs: "${CLUBS:-4}"), ["CLUBS": "9"])
    let written = try read(
      Self.text(clubs: "9").replacing("${LASTS:-18h}", with: "18h"))
    #expect(variable.digest == written.digest)
    #expect(try read(Self.text(clubs: "${CLUBS:-4}")).digest != variable.digest)
  }

  @Test func `what is unset is named with its place, all at once; comments do not matter`() {
    #expect(
      problems(Self.text(clubs: "${CLUBS}", title: "${TITLE} # ${COMMENT}")) == [
        "s.yaml:3:8: the environment variable 'TITLE' is not set; set it, or write ${TITLE:-default}",
        "s.yaml:6:48: the environment variable 'CLUBS' is not set; set it, or write ${CLUBS:-default}",
      ])
  }

  @Test func `a value cannot become structure, a key or a number that it is not`() throws {
    let scenario = try read(
      Self.text(clubs: "4", title: "${TITLE}"), ["TITLE": "a: [b, {c: \"d\"}] # e"])
    #expect(scenario.title == "a: [b, {c: \"d\"}] # e")
    #expect(
      problems(Self.text(clubs: "\"${CLUBS}\""), ["CLUBS": "4"])
        == [
          "s.yaml:6:48: 'clubs' cannot be \"4\": in quotes it is text; give a whole number from 1 to 500, e.g. 20"
        ])
    #expect(
      problems(Self.text(clubs: "4", rest: "${KEY}: 1"), ["KEY": "seed"]).contains(
        "s.yaml:7:1: the key '${KEY}' holds a variable; write the key itself; variables stand in values alone"
      ))
  }

  @Test(arguments: ["${}", "${1A}", "${A-b}", "${A:b}", "${A B}", "${A.B}"])
  func `what is not a variable is refused`(expression: String) {
    let found = problems(Self.text(clubs: "4", title: expression), ["A": "x"])
    #expect(
      found == [
        "s.yaml:3:8: '\(expression)' is not a variable; write ${NAME} or ${NAME:-default}, or $${…} for the text itself"
      ])
  }

  @Test func `two dollars stand for the text itself, one without braces for itself`() throws {
    #expect(
      try read(Self.text(clubs: "4", title: "$${A} costs $5, $A")).title == "${A} costs $5, $A")
  }

  @Test func `values from outside are bounded and escaped`() {
    let long = String(repeating: "x", count: 100_000)
    let many = (1...20).map { _ in "${A}" }.joined()
    #expect(problems(Self.text(clubs: "4", title: many), ["A": long])[0].contains("larger than"))
    let evil = problems(Self.text(clubs: "${A}"), ["A": "\u{1B}[2J"])
    #expect(evil.count == 1 && !evil[0].contains("\u{1B}"))
    #expect(problems(Self.text(clubs: "4", title: "${A:-b}\u{E024}"))[0].contains("U+E000"))
    let plain = Self.text(clubs: "4", title: "\u{E024}").replacing("${LASTS:-18h}", with: "18h")
    #expect(!problems(plain).contains { $0.contains("U+E000") })
  }
}
