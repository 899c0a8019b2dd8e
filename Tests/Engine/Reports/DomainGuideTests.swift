import Reports
import Testing

@Suite struct `What a domain lets a scenario say` {
  private let guide = DomainGuide(of: ToyBackend(persons: { _ in [] }))

  @Test func `its topics are counted, and each has a line to copy`() {
    let overview = guide.overview()
    #expect(overview.hasPrefix("toy: Toy\n"))
    #expect(overview.contains("operations") && !overview.contains("parameters"))
    let faults = guide.text(.faults)
    #expect(faults.contains("connectionRefused  nobody listens"))
    #expect(faults.contains("faults: [{from: \"12:00\", to: \"12:10\", on: toy, kind: requestLost"))
    #expect(guide.items(.faults).map(\.name).last == "delay")
  }

  @Test func `a topic can be searched, and a name has everything about it`() throws {
    let operation = try #require(guide.items(.operations).first)
    #expect(guide.text(.operations, like: operation.name.uppercased()).contains(operation.name))
    #expect(guide.text(.operations, like: "\u{1B}x").contains("none of them contains"))
    #expect(!guide.text(.operations, like: "\u{1B}x").contains("\u{1B}"))
    let text = try #require(guide.text(.operations, name: operation.name))
    #expect(text.contains("p95 of toy.\(operation.name) < 600ms"))
    #expect(guide.text(.operations, name: "nothing") == nil)
  }

  @Test func `lines fit the terminal`() {
    for width in [40, 80] {
      let lines = guide.text(.faults, width: width).split(separator: "\n")
      for line in lines.dropLast() { #expect(line.count <= width, "\(line)") }
    }
  }
}
