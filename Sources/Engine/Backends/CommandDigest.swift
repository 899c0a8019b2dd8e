import Contracts

extension Digest {
  /// A command of the operator, as a served twin and whoever made it ready count it.
  public mutating func mix(command name: String, _ parameters: JSON) {
    mix(name)
    mix(parameters)
  }
}
