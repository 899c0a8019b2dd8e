import Foundation
import ScenarioFiles
import Scenarios
import Testing

@Suite struct `Rows for people` {
  private func feeder(
    _ text: String, _ columns: [String] = ["login", "code"], named name: String = "people.csv",
    as encoding: String.Encoding = .utf8, key: String? = nil
  ) throws -> Feeder {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("feeder-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appendingPathComponent(name)
    try text.data(using: encoding)?.write(to: file)
    return try Feeder(file.path, columns: columns, key: key)
  }

  /// What is wrong, from the line on.
  private func wrong(
    _ text: String, named name: String = "people.csv", as encoding: String.Encoding = .utf8,
    key: String? = nil
  ) -> String {
    do {
      _ = try feeder(text, named: name, as: encoding, key: key)
      return ""
    } catch let errors as ScenarioErrors {
      return errors.description.components(separatedBy: name).last ?? ""
    } catch {
      return "\(error)"
    }
  }

  @Test func `are read from CSV with quotes, empty lines and any line ends`() throws {
    let found = try feeder(
      "login, code,note\r\nann,1234,\"a, \"\"b\"\"\nc\"\r\n\r\nbob,5678,\n")
    #expect(found.rows.count == 2 && found.rows[0]["note"] == "a, \"b\"\nc")
    #expect(found.rows[1] == ["login": "bob", "code": "5678", "note": ""])
  }

  @Test(arguments: [
    String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian,
  ])
  func `are not read from UTF-16, with its mark or without`(encoding: String.Encoding) {
    let said = ": it is not UTF-8 but looks like UTF-16; save it as UTF-8"
    #expect(wrong("login,code\nann,1234\n", as: encoding) == said)
    #expect(wrong("[{\"login\": \"ann\"}]", named: "people.json", as: encoding) == said)
    #expect(wrong("login,code\nann,\u{0}\n") == ": it is binary, not text; give a CSV or JSON file")
  }

  @Test func `are read from a JSON list`() throws {
    let found = try feeder(
      #"[{"login": "ann", "code": 1234, "x": [1]}]"#, named: "people.json")
    #expect(found.rows == [["login": "ann", "code": "1234"]])
  }

  @Test(arguments: [
    String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian, .isoLatin1,
  ])
  func `are refused where they are not UTF-8`(encoding: String.Encoding) {
    #expect(wrong("login,code\nzoë,1\n", as: encoding).hasPrefix(": it is not UTF-8"))
  }

  @Test func `are refused with file and line, and no value is shown`() {
    #expect(wrong("login,pin\nann,s3cret\n").hasPrefix(":1:1: there is no column 'code'"))
    #expect(wrong("login,code,login\n").hasPrefix(":1:1: two columns are called 'login'"))
    let short = wrong("login,code\nann,1\n\ns3cret\n")
    #expect(short.hasPrefix(":4:1: the row has 1 fields, and the header 2"))
    #expect(!short.contains("s3cret"))
    #expect(wrong("login,code\n\"ann,1\n").hasPrefix(":2:1: a quoted field does not end"))
    #expect(wrong("login,code\n").hasPrefix(": it has no rows"))
    #expect(wrong("{}", named: "p.json").hasPrefix(": it is no JSON list"))
    #expect(
      wrong(#"[{"login": "s3cret"}]"#, named: "p.json").hasPrefix(": item 1 has no text 'code'"))
    #expect(throws: ScenarioErrors.self) { try Feeder("/nowhere/people.csv", columns: []) }
  }

  @Test func `are refused where two have the value by which rows are found`() throws {
    let twice = "login,code\ns3cret,1\n\nbob,2\ns3cret,3\n"
    let said = wrong(twice, key: "login")
    #expect(said.hasPrefix(":5:1: 'login' is the same as in line 2; "), "\(said)")
    #expect(!said.contains("s3cret"))
    let list = #"[{"login": "ann", "code": 1}, {"login": "ann", "code": 2}]"#
    #expect(
      wrong(list, named: "p.json", key: "login")
        .hasPrefix(": item 2: 'login' is the same as in item 1"))
    // By place each row is another's, and one without the value is found by nothing.
    #expect(try feeder(twice).rows.count == 3)
    #expect(try feeder("login,code\n,1\n,2\n", key: "login").rows.count == 2)
  }
}
