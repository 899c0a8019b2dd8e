/// Text as a file holds it that is read back as it was.
public enum YAMLText {
  /// In double quotes, on one line: nothing in it is structure, a variable, an alias, or invisible.
  public static func quoted(_ text: String) -> String { "\"" + escaped(text) + "\"" }

  /// The same with a variable of the environment in it.
  public static func quoted(_ before: String, variable: String, _ after: String) -> String {
    "\"" + escaped(before) + "${\(variable)}" + escaped(after) + "\""
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    var scalars = text.unicodeScalars[...]
    while let scalar = scalars.popFirst() {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      // It would begin a variable.
      case "$" where scalars.first == "{": result += code(scalar)
      // Whatever an alias may look like is refused before anything is parsed (`RawText`).
      case "*": result += isName(scalars.first) ? code(scalar) : "*"
      default:
        if isPlain(scalar) { result.unicodeScalars.append(scalar) } else { result += code(scalar) }
      }
    }
    return result
  }

  private static func isName(_ scalar: Unicode.Scalar?) -> Bool {
    guard let scalar else { return false }
    return scalar.isASCII
      && (scalar.properties.isAlphabetic || "0123456789-_".unicodeScalars.contains(scalar))
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate,
      .unassigned:
      false
    default: true
    }
  }

  private static func code(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    let (letter, width) =
      scalar.value < 0x100 ? ("x", 2) : scalar.value < 0x1_0000 ? ("u", 4) : ("U", 8)
    return "\\" + letter + String(repeating: "0", count: width - digits.count) + digits
  }
}
