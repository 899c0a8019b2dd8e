import Timekeeping

/// What a setting of a deployment may be: in scenarios, and in the operator's command.
public struct SettingKind<Value: Hashable & Sendable>: Sendable {
  struct Scenario: Sendable {
    let kind: Setting.Kind
    let write: @Sendable (Value) -> Setting.Value
    /// Of values that the kind allows.
    let read: @Sendable (Setting.Value) -> Value
  }

  let coding: Coding<Value>
  let scenario: Scenario?

  /// One of the operator's alone: a scenario has no word for it.
  public init(_ coding: Coding<Value>) { (self.coding, scenario) = (coding, nil) }

  /// - Parameters:
  ///   - write: As a scenario gives it; of the kind.
  ///   - read: What a value of that kind stands for.
  public init(
    _ coding: Coding<Value>, _ kind: Setting.Kind,
    write: @escaping @Sendable (Value) -> Setting.Value,
    read: @escaping @Sendable (Setting.Value) -> Value
  ) {
    self.coding = coding
    scenario = Scenario(kind: kind, write: write, read: read)
  }
}

extension SettingKind where Value == Int {
  public static func count(_ range: ClosedRange<Int>) -> SettingKind {
    SettingKind(
      .int(range), .count(range), write: { .count($0) },
      read: { value in
        guard case .count(let count) = value else { wrong(value) }
        return count
      })
  }
}

extension SettingKind where Value == Int? {
  /// A bound that `null` lifts; the operator's alone.
  public static func countOrNone(_ range: ClosedRange<Int>) -> SettingKind {
    SettingKind(.optional(.int(range)))
  }
}

extension SettingKind where Value == Span {
  /// The operator gives seconds, or `"10min"`.
  public static func span(_ range: ClosedRange<Span>) -> SettingKind {
    SettingKind(
      .span(range), .span(range), write: { .span($0) },
      read: { value in
        guard case .span(let span) = value else { wrong(value) }
        return span
      })
  }
}

extension SettingKind where Value == Bool {
  public static var flag: SettingKind {
    SettingKind(
      .flag, .flag, write: { .flag($0) },
      read: { value in
        guard case .flag(let flag) = value else { wrong(value) }
        return flag
      })
  }
}

extension SettingKind where Value: RawRepresentable<String> & CaseIterable {
  /// One of the words of an enumeration.
  public static var word: SettingKind {
    SettingKind(
      .word, .choice(Value.allCases.map(\.rawValue)), write: { .choice($0.rawValue) },
      read: { value in
        guard case .choice(let word) = value, let known = Value(rawValue: word) else {
          wrong(value)
        }
        return known
      })
  }
}

extension SettingKind {
  /// One of the words of an enumeration or none, which a scenario calls by a word of its own and the operator `null`.
  public static func word<Word>(orNone none: String) -> SettingKind
  where Word: RawRepresentable<String> & CaseIterable & Hashable & Sendable, Value == Word? {
    SettingKind(
      .optional(.word), .choice([none] + Word.allCases.map(\.rawValue)),
      write: { .choice($0?.rawValue ?? none) },
      read: { value in
        guard case .choice(let word) = value else { wrong(value) }
        return Word(rawValue: word)
      })
  }

  private static func wrong(_ value: Setting.Value) -> Never {
    programFault("\(value) is not of the kind that was declared")
  }
}
