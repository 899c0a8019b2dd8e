import Contracts
import Testing

@Suite struct `Parsing JSON` {
  private func parse(_ text: String) throws -> JSON { try JSON.parse(Array(text.utf8)) }

  @Test func `values come out as RFC 8259 has them, members in their order`() throws {
    let document = try parse(
      #" {"b": [1, -2.5e3, true, false, null], "a": {"x": "\u00e9\ud83d\ude00\n\/"}, "c": []} "#)
    #expect(document["b"] == [1, -2_500.0, true, false, nil])
    #expect(document["a"]?["x"] == "é😀\n/")
    #expect(document.object?.members.map(\.name) == ["b", "a", "c"])
    #expect(try parse("9223372036854775808") == .double(9_223_372_036_854_775_808))
    #expect(try parse("-9223372036854775808") == .int(.min))
  }

  @Test(arguments: [
    "", "{", "[1", "[1,", "\"a", "\"\\", "\"\\u12", "tru", "-", "1.", "1e", "{\"a\"", "{\"a\":",
  ])
  func `what ends too early is truncated`(text: String) {
    let problem = #expect(throws: JSONProblem.self) { try parse(text) }
    #expect(problem?.isTruncated == true)
  }

  @Test(arguments: [
    "[1,]", "{,}", "{1:2}", "01", "1.x", "nul ", "'a'", "\"\u{1}\"", "\"\\x\"", "\"\\ud800\"",
    "\"\\udc00\"", "1e999", "[1] 2", "{\"a\" 1}", "NaN", "+1", ".5",
  ])
  func `what is no JSON is refused`(text: String) {
    let problem = #expect(throws: JSONProblem.self) { try parse(text) }
    #expect(problem?.isTruncated == false)
  }

  @Test func `problems name line and column`() {
    let problem = #expect(throws: JSONProblem.self) { try parse("{\n  \"a\": 1,\n  b\n}") }
    #expect(problem?.line == 3 && problem?.column == 3)
  }

  @Test func `over a wire a whole number may be written as any number`() {
    #expect(JSON(parsing: #"{"b": 1.0, "a": [1e3, 1.5, 7]}"#) == ["b": 1, "a": [1_000, 1.5, 7]])
    #expect(JSON(parsing: "1e30") == .double(1e30))
    #expect(JSON(parsing: "[1] 2") == nil && JSON(parsing: [0x22, 0xFF, 0x22]) == nil)
  }

  @Test func `depth and encoding are bounded`() throws {
    let deep = String(repeating: "[", count: 100_000)
    #expect(throws: JSONProblem.self) { try parse(deep) }
    #expect(throws: JSONProblem.self) { try JSON.parse([0x22, 0xFF, 0x22]) }
  }

  @Test func `what is written reads back`() throws {
    let value: JSON = ["a<b>": [1.5, "\u{2028}\u{7F}\"", 1e-7, [:], []], "n": nil]
    #expect(try JSON.parse(value.bytes) == value)
    #expect(try parse(value.pretty()) == value)
  }
}
