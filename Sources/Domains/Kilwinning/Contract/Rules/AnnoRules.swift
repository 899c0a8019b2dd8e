import Contracts

extension Kilwinning.Rule {
  /// Anno: KW-075 to KW-079.
  static let anno = [
    Theme<Self>(
      "4.6 Anno",
      [
        .kw075: "An absent or empty anno and tutti in any case mean all years.",
        .kw076: "Four digits select the tornate of that calendar year in the lodge's zone.",
        .kw077: "Any other anno is refused with ANNO_NON_VALIDO; a year without tornate is empty.",
      ]),
    Theme<Self>(
      "4.6 Anno", keptBy: .device,
      [
        .kw078: "The app's picker offers 2020 to 2025 and Tutti, at first 2025.",
        .kw079: "Choosing another anno loads the whole screen again.",
      ]),
  ]
}
