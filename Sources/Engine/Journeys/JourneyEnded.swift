/// Thrown into a journey when its life is over: the run ended, the app was killed, the phone replaced.
///
/// The engine alone throws it, and a journey never catches it: refusals and faults are values.
public struct JourneyEnded: Error, Hashable, Sendable {
  public init() {}
}
