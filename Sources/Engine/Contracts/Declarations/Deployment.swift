/// What whoever installs a backend decides: properties that begin with the specification's values, and a declaration of
/// each. Scenarios, `configure`, twin, journeys, checks, schema, `explain` and the handbook read that one declaration.
///
///     struct Deployment: Contracts.Deployment {
///       var keptFor = Span.hours(1)
///
///       static let settings: [DeploymentSetting<Self>] = [
///         DeploymentSetting(
///           "keptFor", \.keptFor, .span(.minutes(1) ... .days(1)), "how long a tool is kept",
///           source: "TY-06")
///       ]
///     }
public protocol Deployment: Hashable, Sendable {
  /// The specification's values.
  init()

  /// In the order in which they are listed and applied.
  static var settings: [DeploymentSetting<Self>] { get }

  /// How the operator's command names a setting: `kept_for`. As it is declared, unless a domain says otherwise.
  static func wireName(of name: String) -> String
}

extension Deployment {
  public static func wireName(of name: String) -> String { name }

  /// `kept_for` of `keptFor`.
  public static func snakeCase(_ name: String) -> String {
    name.reduce(into: "") { text, letter in
      text += letter.isUppercase ? "_" + letter.lowercased() : String(letter)
    }
  }

  /// As scenarios name them.
  public static var parameters: [Setting] { settings.compactMap(\.setting) }

  /// - Parameter parameters: Values of the settings of that name, as a scenario gives them.
  public init(_ parameters: Settings) {
    self.init()
    for setting in Self.settings { setting.take(parameters, &self) }
  }

  /// What the operator says at the start of a scenario: the values that are not the specification's; `nil` when all are.
  public static func adjustment(_ parameters: Settings) -> Adjustment<Self>? {
    let adjustment = Adjustment { $0 = Self(parameters) }
    return adjustment.isEmpty ? nil : adjustment
  }
}

/// One value of a deployment: its name, what it may be, what it means and where its default comes from.
public struct DeploymentSetting<Values: Sendable>: Sendable {
  public let name: String
  public let meaning: String
  /// The rules or the heading of the documents that the default comes from.
  public let source: String
  /// As scenarios give it; `nil` for one that is the operator's alone.
  public let setting: Setting?
  /// As `configure` takes it; `nil` for one that is a scenario's alone.
  let member: Member?
  /// Whether two deployments have the same value.
  let isEqual: @Sendable (Values, Values) -> Bool
  /// Copies the value of the first to the second.
  let copy: @Sendable (Values, inout Values) -> Void
  let take: @Sendable (Settings, inout Values) -> Void

  struct Member: Sendable {
    let schema: JSON
    let example: JSON
    let words: String
    let read: @Sendable (JSON, inout Values) throws(Malformed) -> Void
    let write: @Sendable (Values, Spelling) -> JSON?
    let mix: @Sendable (Values, inout Digest) -> Void
  }

  /// - Parameters:
  ///   - name: As scenarios name it; `Deployment.wireName` makes the operator's name of it.
  ///   - kind: What it may be, in scenarios and in the operator's command.
  ///   - source: The rules or the heading of the documents that the default comes from.
  public init<Value: Hashable & Sendable>(
    _ name: String, _ path: any WritableKeyPath<Values, Value> & Sendable,
    _ kind: SettingKind<Value>, _ meaning: String, source: String
  ) where Values: Deployment {
    (self.name, self.meaning, self.source) = (name, meaning, source)
    let standard = Values()[keyPath: path]
    setting = kind.scenario.map {
      Setting(name, $0.kind, $0.write(standard), meaning, source: source)
    }
    let coding = kind.coding
    member = Member(
      schema: coding.schema, example: coding.example, words: coding.words,
      read: { (json, values) throws(Malformed) in values[keyPath: path] = try coding.read(json) },
      write: { coding.write($0[keyPath: path], $1) },
      mix: { coding.mix($0[keyPath: path], &$1) })
    isEqual = { $0[keyPath: path] == $1[keyPath: path] }
    copy = { $1[keyPath: path] = $0[keyPath: path] }
    take = { parameters, values in
      guard let scenario = kind.scenario, let given = parameters[name] else { return }
      values[keyPath: path] = scenario.read(given)
    }
  }

  /// One whose default is a rule's figure.
  public init<Value: Hashable & Sendable, Rule: Contracts.Rule>(
    _ name: String, _ path: any WritableKeyPath<Values, Value> & Sendable,
    _ kind: SettingKind<Value>, _ meaning: String, of figure: Figure<Rule, Value>
  ) where Values: Deployment {
    self.init(name, path, kind, meaning, source: figure.rule.id.text)
  }

  /// One that scenarios alone name, such as the number that belongs to a word of another; it is part of that other's value.
  /// - Parameter apply: Receives values that `setting` allows, after those of the settings before it.
  public init(
    _ setting: Setting, apply: @escaping @Sendable (Setting.Value, inout Values) -> Void
  ) {
    (name, meaning, source) = (setting.name, setting.meaning, setting.source)
    self.setting = setting
    member = nil
    isEqual = { _, _ in true }
    copy = { _, _ in }
    take = { parameters, values in
      if let given = parameters[setting.name] { apply(given, &values) }
    }
  }
}
