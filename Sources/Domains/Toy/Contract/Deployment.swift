import Contracts
import Timekeeping

extension Toy {
  /// What each workshop decides for itself.
  public struct Deployment: Contracts.Deployment {
    public var mostTools = Toy.mostTools.value
    public var keptFor = Toy.keptFor.value

    public init() {}

    public static let settings: [DeploymentSetting<Self>] = [
      DeploymentSetting(
        "mostTools", \.mostTools, .count(1...20), "tools that a member may have at once",
        of: Toy.mostTools),
      DeploymentSetting(
        "keptFor", \.keptFor, .span(.minutes(1) ... .days(1)),
        "how long a tool that came back is kept for who reserved it", of: Toy.keptFor),
    ]
  }
}
