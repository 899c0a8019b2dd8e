import CZlib
import Contracts
import Foundation
import Observations
import RunFolders
import Runs

/// A part as a file: a line that names the format, its version, the length of what is compressed, a digest of all that follows, and a
/// stream of zlib's.
///
/// Nothing is decompressed whose digest does not hold, so that damage is found before a byte of it means anything.
public enum PartFile {
  /// What files of parts end in.
  public static let suffix = ".part"
  private static let magic = Array("rehearsal-part\n".utf8)
  private static let version: UInt8 = 1
  private static let headBytes = magic.count + 1 + 8 + 16
  /// More than ten thousand replications of the largest scenario take.
  private static let mostBytes = 1 << 30
  /// Of zlib's: the highest takes ten times as long, as much as a part's start, and saves a hundredth.
  private static let level: Int32 = 5
  /// Of zlib's format: a byte stands for no more.
  private static let largestRatio = 1_032

  public static func bytes(of part: Part) -> [UInt8] {
    let content = part.packed
    var length = compressBound(UInt(content.count))
    var packed = [UInt8](repeating: 0, count: Int(length))
    let code = compress2(&packed, &length, content, UInt(content.count), level)
    precondition(code == Z_OK, "zlib could not compress a part: \(code)")
    packed.removeLast(packed.count - Int(length))
    let size = UInt64(content.count)
    let digest = digest(of: packed[...], size: size)
    return magic + [version] + little(size) + little(digest.high) + little(digest.low) + packed
  }

  /// - Throws: Why the bytes are no part.
  public static func part(_ bytes: [UInt8]) throws(PartFileProblem) -> Part {
    guard bytes.starts(with: magic) else {
      throw magic.starts(with: bytes.prefix(magic.count)) ? .damaged : .isNone
    }
    guard bytes.count > headBytes else { throw .damaged }
    guard bytes[magic.count] == version else {
      throw .otherVersion(Int(bytes[magic.count]))
    }
    let words = (0..<3).map { word(bytes, at: magic.count + 1 + 8 * $0) }
    let packed = bytes[headBytes...]
    let digest = digest(of: packed, size: words[0])
    guard [digest.high, digest.low] == words[1...], words[0] <= packed.count * largestRatio else {
      throw .damaged
    }
    var length = UInt(words[0])
    var content = [UInt8](repeating: 0, count: Int(length))
    let code = packed.withUnsafeBufferPointer {
      uncompress(&content, &length, $0.baseAddress, UInt($0.count))
    }
    guard code == Z_OK, length == content.count else { throw .damaged }
    var part = Part.empty
    do throws(PackingProblem) {
      try part.unpack(content)
    } catch {
      throw .damaged
    }
    return part
  }

  /// Reads one from a file.
  public static func read(_ path: String) throws(PartFileProblem) -> Part {
    var status = stat()
    guard stat(path, &status) == 0 else { throw .isMissing }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .isNoFile }
    guard status.st_size <= mostBytes else { throw .isNone }
    guard let data = FileManager.default.contents(atPath: path) else { throw .isUnreadable }
    return try part(Array(data))
  }

  /// Under another name first, so that it is there whole or not at all.
  public static func write(_ part: Part, to path: String) throws(OutputProblem) {
    try OutputFile.write(bytes(of: part), to: path)
  }

  private static func digest(of packed: ArraySlice<UInt8>, size: UInt64) -> Digest {
    var digest = Digest()
    digest.mix(UInt64(version))
    digest.mix(size)
    packed.withUnsafeBufferPointer { digest.mix(bytes: $0) }
    return digest
  }

  private static func little(_ word: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
  }

  private static func word(_ bytes: [UInt8], at place: Int) -> UInt64 {
    (0..<8).reduce(0) { $0 | UInt64(bytes[place + $1]) << UInt64(8 * $1) }
  }
}

/// Why a file is no part, and what to do about it.
public enum PartFileProblem: Error, Equatable, Sendable, CustomStringConvertible {
  case isMissing
  case isNoFile
  case isUnreadable
  case isNone
  case otherVersion(Int)
  case damaged

  public var description: String {
    switch self {
    case .isMissing: "there is no such file; name a part that 'rehearse run --part' made"
    case .isNoFile: "it is not a file; name a part, or a folder of parts"
    case .isUnreadable: "it cannot be read; check its permissions"
    case .isNone: "it is no part of a run; name one that 'rehearse run --part' made"
    case .otherVersion(let version):
      "it is a part in version \(version) of the format, and this program reads version 1; merge with what made it"
    case .damaged: "it is damaged: cut, or changed since it was written; make this part again"
    }
  }
}
