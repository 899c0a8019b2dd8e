import Foundation

/// Why a run's files cannot lie where they should, and what to do about it.
public enum RunFolderError: Error, Equatable, Sendable, CustomStringConvertible {
  case isFile(path: String)
  case missingParent(path: String)
  /// A link to what is not there, or to itself.
  case deadLink(path: String)
  /// The folder holds what no run wrote; some of it by name.
  case foreignFiles(path: String, names: [String])
  case notPermitted(path: String)
  case readOnly(path: String)
  case diskFull(path: String)
  /// The file reached the size that the shell or the file system allows.
  case tooLarge(path: String)
  case nameTooLong(path: String)
  /// A file that the command reads would be replaced.
  case holdsInput(path: String, input: String)
  /// A relative path that would leave the folder, or two files of one name.
  case badFileName(path: String)
  case failed(path: String, reason: String)

  /// The case for a system call's error number.
  public init(errno number: Int32, path: String) {
    self =
      switch number {
      case ENOTDIR: .isFile(path: path)
      case ENOENT: .missingParent(path: path)
      case EACCES, EPERM: .notPermitted(path: path)
      case EROFS: .readOnly(path: path)
      case ENOSPC, EDQUOT: .diskFull(path: path)
      case EFBIG: .tooLarge(path: path)
      case ENAMETOOLONG: .nameTooLong(path: path)
      default: .failed(path: path, reason: String(cString: strerror(number)))
      }
  }

  /// Whether the command line asks for what should not be, rather than for what cannot be.
  public var isWrongUsage: Bool {
    switch self {
    case .foreignFiles, .holdsInput, .badFileName: true
    default: false
    }
  }

  public var description: String {
    switch self {
    case .isFile(let path):
      "'\(shown(path))' is a file, or is inside one; name a folder"
    case .missingParent(let path):
      "'\(shown(path))' cannot be created because the folder above it does not exist; create it first"
    case .deadLink(let path):
      "'\(shown(path))' is a link that leads nowhere; remove it, or name another folder"
    case .foreignFiles(let path, let names):
      "'\(shown(path))' holds files that no run wrote (\(Self.list(names))); name a new or empty folder"
    case .holdsInput(let path, let input):
      "'\(shown(path))' holds '\(shown(input))', which the run reads and would replace; name another folder"
    case .notPermitted(let path):
      "'\(shown(path))' is not writable for this user; change its permissions or name another folder"
    case .readOnly(let path):
      "'\(shown(path))' is on a read-only file system; name another folder"
    case .diskFull(let path):
      "no space is left to write '\(shown(path))'; free some or name a folder on another disk"
    case .tooLarge(let path):
      "'\(shown(path))' cannot be written: a file may not be as large; raise the limit (ulimit -f) or name a folder on another disk"
    case .nameTooLong(let path): "'\(shown(path))' is too long for a path; name a shorter one"
    case .badFileName(let path):
      "'\(shown(path))' is no name for a file of a run: it is empty, leaves the folder or comes twice"
    case .failed(let path, let reason): "'\(shown(path))' cannot be written: \(reason)"
    }
  }

  private static func list(_ names: [String]) -> String {
    names.prefix(3).map(shown).joined(separator: ", ") + (names.count > 3 ? ", …" : "")
  }
}

/// What of a run's files could not be written; the others are there.
public struct RunFolderLoss: Error, Equatable, Sendable, CustomStringConvertible {
  /// Why the first of them was not.
  public let reason: RunFolderError
  /// As they would lie in the folder, in the order in which they were given.
  public let missing: [String]

  public init(reason: RunFolderError, missing: [String]) {
    self.reason = reason
    self.missing = missing
  }

  private static let most = 12

  /// The reason, and the files, the last of them first, since it matters most.
  public var description: String {
    guard !missing.isEmpty else { return reason.description }
    let more = missing.count - Self.most
    return reason.description + "\nMissing: "
      + missing.reversed().prefix(Self.most).map(shown).joined(separator: ", ")
      + (more > 0 ? " and \(more) more" : "")
  }
}
