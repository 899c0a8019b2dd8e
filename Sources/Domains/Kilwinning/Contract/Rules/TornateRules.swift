import Contracts

extension Kilwinning.Rule {
  /// Tornate: KW-040 to KW-054.
  static let tornate = [
    Theme<Self>(
      "4.4 Tornate",
      [
        .kw040: "Tornate are filtered by anno and by stato, by both together, or not at all.",
        .kw041: "The list of tornate does not depend on the caller's iniziazione.",
        .kw042: "Tornate are listed newest first, those of one instant by falling id.",
        .kw043:
          "A new tornata has five required fields, a data between 1678 and 2261, and is programmata, whatever stato is sent.",
        .kw044: "A created tornata is answered with 201 and visible to every session from then on.",
        .kw045: "tipo may be ordinaria, straordinaria or cerimonia.",
        .kw046: "An update changes only what it names; an empty one changes nothing.",
      ]),
    Theme<Self>([
      .kw047: "Mirrored keys always agree; in requests the English ones are ignored."
        .stated(
          in: "4.4 Tornate", keptBy: .nobody,
          unjudged:
            "both are written from one value, and an answer in which they differ cannot be read")
    ]),
    Theme<Self>(
      "4.4 Tornate",
      [
        .kw048: "A cancelled tornata keeps its presenze, which stop counting.",
        .kw049: "Every change between the three states is allowed; counting follows at once.",
        .kw050: "No tornata changes its state by itself.",
        .kw051:
          "A deleted tornata is gone with all its presenze; a second deletion is refused with 404.",
      ]),
    Theme<Self>(
      "4.4 Tornate", keptBy: .device,
      [
        .kw052: "The device asks before it deletes; who declines sends nothing.",
        .kw053:
          "After creating, editing or deleting the management screen loads the list of its anno once.",
      ]),
    Theme<Self>(
      "4.4 Tornate",
      [
        .kw054: "An unknown tornata is refused with 404."
      ]),
  ]
}
