import Synchronization
import Testing
import Timekeeping

@testable import Contracts

@Suite struct `Names` {
  private enum Thing {}
  private typealias ThingName = Name<Thing>

  /// Texts of all forms and at their edges, with many that differ in one place.
  private static let texts: [String] = {
    var stream = RandomStream(seed: 14, owner: 1, purpose: 0)
    var texts = [
      "", "\0", "\0\0", "a", "a\0", "A", "club-1-17", "VR1", "123456789012345", "1234567890123456",
      "fifteen letters", "sixteen  letters", "é", "e\u{301}", "🏑🏑🏑", "🏑🏑🏑🏑",
      "e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}", "ééééééééé",
      "00000000-0000-4000-8000-000000000000",
      "00000000-0000-1000-8000-000000000000", "00000000-0000-4000-C000-000000000000",
      "ffffffff-ffff-4fff-bfff-ffffffffffff", "FFFFFFFF-FFFF-4FFF-BFFF-FFFFFFFFFFFF",
      "Ffffffff-ffff-4fff-bfff-ffffffffffff", "ffffffff-ffff-4fff-bfff-fffffffffffg",
      "ffffffff_ffff-4fff-bfff-ffffffffffff", String(repeating: "x", count: 5_000),
      "\u{1}00000000000000000000000000000000", "ffffffffffffffff", "0000000000000000",
      "a0000000000000000", "aa000000000000000", "eight---ffffffffffffffff",
      "nine----0ffffffffffffffff", "a\0ffffffffffffffff", "é0ffffffffffffffff",
      "record-FFFFFFFFFFFFFFFF", "record-fffffffffffffffg", "\u{7F}0123456789abcdef",
      "driver-17-1774630800123", "driver-1-1774630800123", "driver-1-11774630800123",
      "driver-2000-1774630800123", "driver-20000-1774630800123", "driver-17-0774630800123",
      "driver-17-177463080012", "driver--1774630800123", "Driver-1-1774630800123",
      "a_99999999999999999", "a-99999999999999999", "a-10000000000000000", "a-199999999999999999",
      "zzzzzzzzzzzz99999999999999999", "------------10000000000000000", "9999999999999999",
      "1000000000000000a",
    ]
    for _ in 0..<60 {
      let name = ThingName(uuid: stream.next(), stream.next()).text
      texts += [name, name.uppercased(), String(name.dropLast()), name + ":nl.kantinekoning"]
      let digits = name.filter { $0 != "-" }.prefix(16)
      texts += ["record-", "recora-", "user-", "a", ""].map { $0 + digits }
      let number = String(stream.pick(0..<Int.max)).prefix(stream.pick(4..<19))
      texts += ["driver-17-", "driver-1-", "driver-", "a"].map { $0 + number }
      let alphabet = ["a", "b", "\0", "é", "-", "0"]
      let count = stream.pick(0..<20)
      texts.append((0..<count).map { _ in stream.pick(alphabet) }.joined())
    }
    return texts
  }()

  private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test func `take sixteen bytes that are copied without counting references`() {
    #expect(MemoryLayout<ThingName>.size == 16)
    #expect(MemoryLayout<ThingName>.stride == 16)
    #expect(_isPOD(ThingName.self))
  }

  @Test func `give back every text byte for byte`() {
    for text in Self.texts {
      #expect(Self.bytes(ThingName(text).text) == Self.bytes(text))
      #expect("\(ThingName(text))".utf8.elementsEqual(text.utf8))
      #expect(ThingName(text).isEmpty == text.isEmpty)
    }
  }

  @Test func `are equal, and hash equally, just where their bytes are equal`() {
    var hashes: Set<Int> = []
    for (index, a) in Self.texts.enumerated() {
      #expect(ThingName(a) == ThingName(String(decoding: Self.bytes(a), as: UTF8.self)))
      #expect(ThingName(a).hashValue == ThingName(a).hashValue)
      hashes.insert(ThingName(a).hashValue)
      for b in Self.texts[..<index] {
        if (ThingName(a) == ThingName(b)) != (Self.bytes(a) == Self.bytes(b)) {
          Issue.record("\(a) and \(b)")
        }
      }
    }
    #expect(hashes.count == Set(Self.texts.map(Self.bytes)).count)
  }

  @Test func `are ordered as their bytes are`() {
    for (index, a) in Self.texts.enumerated() {
      for b in Self.texts[...index] {
        let (x, y) = (Self.bytes(a), Self.bytes(b))
        if (ThingName(a) < ThingName(b)) != x.lexicographicallyPrecedes(y)
          || (ThingName(b) < ThingName(a)) != y.lexicographicallyPrecedes(x)
        {
          Issue.record("\(a) and \(b)")
        }
      }
    }
    let plain = Self.texts.filter { $0.utf8.allSatisfy { $0 < 128 } }
    #expect(plain.map(ThingName.init(_:)).sorted().map(\.text) == plain.sorted())
  }

  @Test func `know how long they are, and whether they can be printed, as their texts do`() {
    let strange = ["\u{1F}", "\u{7F}", "\u{80}", "é", "~", " "].flatMap { odd in
      (0..<17).map { place in
        String(repeating: "a", count: place) + odd + String(repeating: "b", count: 16 - place)
      }
    }
    for text in Self.texts + strange {
      let isPlain = text.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
      #expect(text.isPrintableASCII == isPlain)
      #expect(ThingName(text).isPrintableASCII == isPlain)
      #expect(ThingName(text).byteCount == text.utf8.count)
    }
  }

  @Test func `reach a digest as their text does`() {
    for text in Self.texts {
      var (named, spelt) = (Digest(), Digest())
      named.mix(ThingName(text))
      spelt.mix(text)
      #expect(named == spelt)
    }
  }

  @Test func `do not depend on the order in which texts came`() {
    let (one, other) = (
      NameTable(texts: 10_000, bytes: 1 << 20), NameTable(texts: 10_000, bytes: 1 << 20)
    )
    let forwards = Self.texts.map { Letters($0, in: one) }
    let backwards = Array(Self.texts.reversed().map { Letters($0, in: other) }.reversed())
    for (a, b) in zip(forwards, backwards) {
      #expect(a.hashValue == b.hashValue)
      #expect(a.rawHashValue(seed: 7) == b.rawHashValue(seed: 7))
      #expect(a.text(in: one).utf8.elementsEqual(b.text(in: other).utf8))
    }
    #expect(
      forwards.sorted { $0.precedes($1, in: one) }.map { $0.text(in: one) }
        == backwards.sorted { $0.precedes($1, in: other) }.map { $0.text(in: other) })
  }

  @Test func `are made by many threads at once`() async {
    let table = NameTable(texts: 20_000, bytes: 1 << 22)
    let made = await withTaskGroup(of: [Letters].self) { group in
      for worker in 0..<8 {
        group.addTask {
          (0..<10_000).map { index in
            let number = (index * 7 + worker * 1_234) % 10_000
            let letters = Letters("a text of more than fifteen letters \(number)", in: table)
            precondition(letters.text(in: table).hasSuffix(" \(number)"))
            return letters
          }
        }
      }
      return await group.reduce(into: Set<Letters>()) { $0.formUnion($1) }
    }
    #expect(made.count == 10_000)
  }

  @Test(arguments: [NameTable(texts: 100, bytes: 1 << 20), NameTable(texts: 1_000, bytes: 3_000)])
  func `that come when the table is full are told apart by a digest`(table: NameTable) {
    let texts = (0..<1_000).map { "a text of many letters \($0)" }
    let letters = texts.map { Letters($0, in: table) }
    let room = letters.prefix { !$0.isShortened }.count
    #expect((100...125).contains(room))
    #expect(letters[room...].allSatisfy { $0.isShortened })
    #expect(Set(letters).count == texts.count)
    // What is listed stays, and whoever was turned away always is, by the same name.
    #expect(texts.map { Letters($0, in: table) } == letters)
    #expect(letters[..<room].map { $0.text(in: table) } == Array(texts[..<room]))
    let shown = letters[room...].map { $0.text(in: table) }
    #expect(Set(shown).count == texts.count - room)
    #expect(shown.allSatisfy { $0.utf8.count == 33 && $0.hasPrefix("\u{1}") })
    #expect(
      letters[room...].sorted { $0.precedes($1, in: table) }.map { $0.text(in: table) }
        == shown.sorted())
    // Where it stands in the value itself it needs no room.
    let own = [
      "VR1", "00000000-0000-4000-8000-000000000000", "record-0123456789abcdef",
      "driver-17-1774630800123",
    ]
    #expect(own.map { Letters($0, in: table).text(in: table) } == own)
  }

  @Test func `that find no room are told of once, by whoever makes the first`() async {
    let table = NameTable(texts: 50, bytes: 1 << 20)
    let told = Atomic(0)
    table.whenFull { told.add(1, ordering: .relaxed) }
    await withTaskGroup(of: Void.self) { group in
      for worker in 0..<4 {
        group.addTask {
          for number in 0..<100 {
            _ = Letters("a text of many letters \(worker) \(number)", in: table)
          }
        }
      }
    }
    #expect(told.load(ordering: .relaxed) == 1)
    _ = Letters("one more text of many letters", in: table)
    #expect(told.load(ordering: .relaxed) == 1)
  }
}
