import Foundation

/// Why a run's files cannot lie where they should, and what to do about it.
public enum RunFolderError: Error, Equatable, Sendable, CustomStringConvertible {
  case isFile(path: String)
  case missingParent(path: String)
  /// The folder holds what no run wrote; some of it by name.
  case foreignFiles(path: String, names: [String])
  case notPermitted(path: String)
  case readOnly(path: String)
  case diskFull(path: String)
  case nameTooLong(path: String)
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
      case ENAMETOOLONG: .nameTooLong(path: path)
      default: .failed(path: path, reason: String(cString: strerror(number)))
      }
  }

  public var description: String {
    switch self {
    case .isFile(let path):
      "'\(Self.shown(path))' is a file, or is inside one; name a folder"
    case .missingParent(let path):
      "'\(Self.shown(path))' cannot be created because the folder above it does not exist; create it first"
    case .foreignFiles(let path, let names):
      "'\(Self.shown(path))' holds files that no run wrote (\(Self.list(names))); name a new or empty folder"
    case .notPermitted(let path):
      "'\(Self.shown(path))' is not writable for this user; change its permissions or name another folder"
    case .readOnly(let path):
      "'\(Self.shown(path))' is on a read-only file system; name another folder"
    case .diskFull(let path):
      "no space is left to write '\(Self.shown(path))'; free some or name a folder on another disk"
    case .nameTooLong(let path): "'\(Self.shown(path))' is too long for a path; name a shorter one"
    case .badFileName(let path):
      "'\(Self.shown(path))' is no name for a file of a run: it is empty, leaves the folder or comes twice"
    case .failed(let path, let reason): "'\(Self.shown(path))' cannot be written: \(reason)"
    }
  }

  private static func list(_ names: [String]) -> String {
    names.prefix(3).map(shown).joined(separator: ", ") + (names.count > 3 ? ", …" : "")
  }

  /// A path without the characters that a terminal would obey.
  private static func shown(_ path: String) -> String {
    var text = ""
    for scalar in path.unicodeScalars {
      let hidden = scalar.properties.generalCategory
      if hidden == .control || hidden == .format || hidden == .lineSeparator {
        text += "⟨U+" + String(scalar.value, radix: 16, uppercase: true) + "⟩"
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
