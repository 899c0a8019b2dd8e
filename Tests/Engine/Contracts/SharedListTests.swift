import Contracts
import Testing

@Suite struct `A list that is shared` {
  private static let coding = Coding<SharedList<String>>.sharedList(.text)

  private func digest(_ list: SharedList<String>) -> Digest {
    var digest = Digest()
    Self.coding.mix(list, &digest)
    return digest
  }

  @Test func `is equal to another one of the same items, and identical to itself alone`() {
    let list: SharedList = ["a", "b"]
    let other: SharedList = ["a", "b"]
    #expect(list == other)
    #expect(list != ["b", "a"])
    #expect(list.isIdentical(to: list))
    #expect(!list.isIdentical(to: other))
    #expect(list.hashValue == other.hashValue)
  }

  @Test func `goes into a digest by its items, in their order, however often`() {
    let list: SharedList = ["a", "b"]
    #expect(digest(list) == digest(list))
    #expect(digest(list) == digest(["a", "b"]))
    #expect(digest(list) != digest(["b", "a"]))
    #expect(digest(["ab"]) != digest(["a", "b"]))
  }

  @Test func `is read from a document and written to one as any list`() throws {
    let list: SharedList = ["a", "b"]
    #expect(Self.coding.write(list, .redacted) == ["a", "b"])
    #expect(try Self.coding.read(["a", "b"]) == list)
    #expect(throws: Malformed.self) { try Self.coding.read("a") }
    #expect(list.map(\.count) == [1, 1])
  }
}
