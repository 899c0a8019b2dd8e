/// Where one check of a region sits: its decisions so far.
final class Seat {
  private(set) var judge = Judge()

  /// Decides about something that was seen at a moment.
  @inline(__always)
  func decide(at moment: Moment, _ body: (inout Judge) -> Void) {
    body(&judge)
    judge.locate(moment)
  }
}
