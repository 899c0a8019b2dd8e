import Contracts

extension Kilwinning.Rule {
  /// CSV export: KW-133 to KW-136.
  static let export = [
    Theme<Self>(
      "4.10 CSV export",
      [
        .kw133: "Administrators alone export the riepilogo, for one anno or all.",
        .kw134:
          "The file has a header row and one row for each fratello, as the riepilogo of that anno and instant.",
        .kw135:
          "The file follows RFC 4180: commas, CRLF after every line, quotes only where needed, UTF-8 without a mark.",
        .kw136: "The file is called riepilogo-presenze- with the anno, or tutti, and .csv.",
      ])
  ]
}
