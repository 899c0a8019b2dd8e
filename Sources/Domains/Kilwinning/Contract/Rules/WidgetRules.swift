import Contracts

extension Kilwinning.Rule {
  /// Widget: KW-140 to KW-143.
  static let widget = [
    Theme<Self>(
      "4.11 Widget", keptBy: .device,
      [
        .kw140: "The widget shows at most the next three tornate.",
        .kw141:
          "It refreshes at an interval, at the start of the first tornata, and when the app has loaded.",
        .kw142:
          "A refresh is one list of planned tornate with the device's session, and never a verification.",
        .kw143:
          "After a failed refresh the old snapshot stays, stale, without what has begun; without a session nothing is asked until the next login.",
      ])
  ]
}
