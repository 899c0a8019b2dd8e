import Foundation

/// Why a single file cannot be written, and what to do about it.
public enum OutputProblem: Error, Equatable, Sendable, CustomStringConvertible {
  case isFolder(path: String)
  /// The command reads that file.
  case isInput(path: String, input: String)
  case missingFolder(path: String)
  case notPermitted(path: String)
  case readOnly(path: String)
  case diskFull(path: String)
  /// The file reached the size that the shell or the file system allows.
  case tooLarge(path: String)
  case nameTooLong(path: String)
  case failed(path: String, reason: String)

  /// The case for a system call's error number.
  public init(errno number: Int32, path: String) {
    self =
      switch number {
      case EISDIR: .isFolder(path: path)
      case ENOENT, ENOTDIR: .missingFolder(path: path)
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
    case .isInput: true
    default: false
    }
  }

  public var description: String {
    switch self {
    case .isFolder(let path): "\(shown(path)): this is a folder; name a file"
    case .isInput(let path, let input):
      "\(shown(path)): this is \(path == input ? "" : "\(shown(input)), ")a file that the command reads; name another one"
    case .missingFolder(let path):
      "\(shown(path)): cannot be written because its folder does not exist; create it first"
    case .notPermitted(let path):
      "\(shown(path)): may not be written by this user; change the permissions of it and its folder, or name another file"
    case .readOnly(let path):
      "\(shown(path)): lies on a read-only file system; name another file"
    case .diskFull(let path):
      "\(shown(path)): cannot be written: no space is left; free some or name a file on another disk"
    case .tooLarge(let path):
      "\(shown(path)): cannot be written: a file may not be as large; raise the limit (ulimit -f) or name one on another disk"
    case .nameTooLong(let path): "\(shown(path)): is too long for a path; name a shorter one"
    case .failed(let path, let reason): "\(shown(path)): cannot be written: \(reason)"
    }
  }
}

/// A path without the characters that a terminal would obey.
func shown(_ path: String) -> String {
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
