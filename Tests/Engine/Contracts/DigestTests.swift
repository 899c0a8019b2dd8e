import Contracts
import Testing

@Suite struct `The digest of a document` {
  private func digest(_ document: JSON) -> Digest {
    var digest = Digest()
    digest.mix(document)
    return digest
  }

  @Test func `equal documents have equal digests`() {
    let document: JSON = ["a": [1, 2.5, "x"], "b": ["c": nil, "d": true]]
    #expect(digest(document) == digest(JSON(parsing: document.bytes)!))
  }

  @Test func `documents that differ in a value, a name, their order or their shape are told apart`()
  {
    let documents: [JSON] = [
      ["a": 1, "b": 2], ["b": 2, "a": 1], ["a": 1, "b": 3], ["a": 1, "c": 2], ["a": 1], [1, 2],
      [[1], 2], [[1, 2]], [[], [1, 2]], "1", 1, 1.5, true, false, nil, "", [], [:], ["a", "b"],
      ["ab"],
    ]
    #expect(Set(documents.map { digest($0).hexadecimal }).count == documents.count)
  }
}
