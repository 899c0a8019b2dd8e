import Timekeeping

extension KantineKoning {
  /// How old the rows of other clubs on the global board may be (`global_board_max_age`, §7.3 and §8, point 25).
  ///
  /// Barriers of a run may not lie further apart, or no board could keep the promise.
  public static let globalBoardMaxAge = Span.seconds(3_600)
}
