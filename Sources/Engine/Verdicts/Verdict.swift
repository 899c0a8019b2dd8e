/// What the evidence allows to say, and never more.
public enum Verdict: String, Hashable, Sendable {
  case pass, fail, inconclusive, notExercised
}
