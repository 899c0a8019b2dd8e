/// What the argument parser takes for an option although it is the value of one: `-5%` after `--margin`.
enum NegativeValues {
  /// Joins them to the options before them, which then say by themselves what they allow. No option of ours begins with a digit.
  static func joined(_ arguments: [String]) -> [String] {
    var joined: [String] = []
    for (place, argument) in arguments.enumerated() {
      if argument == "--" { return joined + arguments[place...] }
      if let option = joined.last, isOpen(option), isNegative(argument) {
        joined[joined.count - 1] = option + "=" + argument
      } else {
        joined.append(argument)
      }
    }
    return joined
  }

  /// Whether it is an option without its value.
  private static func isOpen(_ argument: String) -> Bool {
    argument.hasPrefix("--") && argument.utf8.count > 2 && !argument.contains("=")
  }

  private static func isNegative(_ argument: String) -> Bool {
    let rest = argument.utf8.dropFirst()
    let digits = rest.first == UInt8(ascii: ".") ? rest.dropFirst() : rest
    return argument.hasPrefix("-")
      && digits.first.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } == true
  }
}
