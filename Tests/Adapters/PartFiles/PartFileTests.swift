import Contracts
import Foundation
import Observations
import PartFiles
import Runs
import Testing
import Timekeeping

@Suite struct `Files of parts` {
  private static func part() -> Part {
    var part = Part.empty
    part.share = Share(3, of: 16)
    part.build = Part.Build(version: "1", commit: "abc")
    part.work = Array("rehearsal: 1".utf8)
    part.maker.clockOffset = -0.25
    part.outcome = (0..<20_000).map { UInt8(truncatingIfNeeded: $0 * $0 >> 7) }
    return part
  }

  @Test func `hold what was written, and less than it takes`() throws {
    let part = Self.part()
    let bytes = PartFile.bytes(of: part)
    #expect(bytes.count < part.packed.count && bytes.starts(with: Array("rehearsal-part\n".utf8)))
    let read = try PartFile.part(bytes)
    #expect(read.packed == part.packed && read.maker.clockOffset == -0.25)
  }

  @Test func `are refused wherever a bit is flipped or the end is cut`() throws {
    let whole = PartFile.bytes(of: Self.part())
    let seed = UInt64.random(in: 0...999_999)
    var stream = RandomStream(seed: seed, owner: 0, purpose: 0)
    for number in 0..<3_000 {
      var bytes = whole
      if number % 3 == 0 {
        bytes.removeLast(1 + Int(stream.unit() * Double(bytes.count)))
      } else {
        let place = number < 800 ? number % 40 : Int(stream.unit() * Double(bytes.count))
        bytes[place] ^= 1 << UInt8(stream.unit() * 8)
      }
      #expect(throws: PartFileProblem.self, "seed \(seed), \(number)") {
        try PartFile.part(bytes)
      }
    }
  }

  @Test func `say of other files what they are, and of a later version that it is one`() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("rehearsal-\(UUID().uuidString)").path
    #expect(throws: PartFileProblem.isMissing) { try PartFile.read(folder) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    #expect(throws: PartFileProblem.isNoFile) { try PartFile.read(folder) }
    #expect(throws: PartFileProblem.isNone) { try PartFile.part(Array("{}".utf8)) }
    #expect(throws: PartFileProblem.damaged) { try PartFile.part([]) }
    var later = PartFile.bytes(of: Self.part())
    later[15] = 2
    #expect(throws: PartFileProblem.otherVersion(2)) { try PartFile.part(later) }
  }

  @Test func `claim no more than their bytes can hold`() {
    // A digest that holds, of a length that no such stream has.
    var bytes = PartFile.bytes(of: Self.part())
    let packed = bytes[40...]
    var digest = Digest()
    digest.mix(1 as UInt64)
    digest.mix(UInt64(1) << 40)
    Array(packed).withUnsafeBufferPointer { digest.mix(bytes: $0) }
    let words = [UInt64(1) << 40, digest.high, digest.low]
    bytes.replaceSubrange(
      16..<40,
      with: words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } })
    #expect(throws: PartFileProblem.damaged) { try PartFile.part(bytes) }
  }
}
