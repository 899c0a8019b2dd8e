import Contracts
import Testing

@Suite struct `The schema of what is read` {
  @Test func `a member that may be left out may be null, any other may not`() throws {
    let coding = Shape(
      Field("loud", .flag.otherwise(false)), Field("note", .omittable(.text)), Field("name", .text)
    ).coding

    #expect(coding.schema["required"] == ["name"])
    let members = coding.schema["properties"]
    #expect(members?["loud"] == ["anyOf": [["type": "boolean"], ["type": "null"]]])
    #expect(members?["note"] == ["anyOf": [["type": "string"], ["type": "null"]]])
    #expect(members?["name"] == ["type": "string"])
    let read = try coding.read(["loud": nil, "note": nil, "name": "x"])
    #expect(read == (false, nil, "x"))
    #expect(throws: Malformed.self) { try coding.read(["name": nil]) }
  }

  @Test func `a demanded member is required there, and read where it is left out`() throws {
    let slug: JSON = ["type": "string", "pattern": "^[a-z]+$"]
    let coding = Shape<String?>(
      { $0 }, Field("slug", \.self, .omittable(.text).described(by: slug)).demanded
    ).coding

    #expect(coding.schema["required"] == ["slug"])
    #expect(coding.schema["properties"]?["slug"] == slug)
    #expect(try coding.read([:]) == nil)
    #expect(try coding.read(["slug": "x"]) == "x")
  }

  @Test func `what is understood bare is described bare`() throws {
    let wrapped = Coding<String>.text.wrapped(in: "id", orBare: true)

    #expect(wrapped.schema["anyOf"]?.array?.count == 2)
    #expect(wrapped.schema["anyOf"]?[1] == ["type": "string"])
    #expect(try wrapped.read("x") == wrapped.read(["id": "x"]))
    #expect(Coding<String>.text.wrapped(in: "id").schema["type"] == "object")
  }
}
