import Contracts

extension Kilwinning.Rule {
  /// Statistics and riepilogo: KW-080 to KW-101.
  static let statistics = [
    Theme<Self>(
      "4.7 Statistics and riepilogo",
      [
        .kw080: "Only tornate from the iniziazione on count for a fratello and are shown to him.",
        .kw081: "The limit is the start of the civil day of the iniziazione in the lodge's zone.",
        .kw082: "Without an iniziazione all tornate count.",
        .kw083: "Only held tornate count: completed ones, and planned ones that have begun.",
        .kw084: "By the policy tutte every tornata counts, whatever its state and date.",
        .kw085: "No record, Assente and Non Confermato are all not present.",
        .kw086:
          "The streak counts from the newest counted tornata until the first without presence.",
        .kw087: "Of two tornate of one instant the one with the higher id is the newer.",
        .kw088: "With an anno the streak stays within that year.",
        .kw089: "Presences are counted among the counted tornate alone.",
        .kw090: "percentuale is the whole part of 100 times presences through total, 0 for none.",
        .kw091:
          "attendance_rate is presences through total, 0 for none; the dashboard shows it times 100 in doubles, rounded halves to even.",
        .kw092: "absences are total less presences.",
        .kw093:
          "personal_record is the longest run of presences over all years, whatever the anno.",
      ]),
    Theme<Self>([
      .kw094: "All ten keys of the statistics are in every answer, and mirrors agree."
        .stated(
          in: "4.7 Statistics and riepilogo", keptBy: .nobody,
          unjudged: "an answer without one of them, or in which mirrors differ, cannot be read")
    ]),
    Theme<Self>(
      "4.7 Statistics and riepilogo",
      [
        .kw095:
          "The riepilogo has one row for each fratello, in the order of the list; each row is his statistics."
      ]),
    Theme<Self>(
      "4.7 Statistics and riepilogo", keptBy: .device,
      [
        .kw096: "90 to 100 per cent are green, 70 to 89 orange, anything else red.",
        .kw097:
          "A row of the riepilogo shows name, degree badge, coloured bar, percentuale and presenze/tornate_disponibili.",
        .kw098:
          "The streak badge is shown above 0 alone; programmata is blue, completata green, annullata red, another state grey.",
      ]),
    Theme<Self>([
      .kw099: "The figures come from pure functions that server and device share."
        .stated(
          in: "4.7 Statistics and riepilogo", keptBy: .nobody,
          unjudged:
            "unit tests hold the functions; what they give is judged by the rules of this theme"),
      .kw100: "Totals and presences of the single years add up to those of all years."
        .stated(
          in: "4.7 Statistics and riepilogo", keptBy: .nobody,
          unjudged: "it follows from KW-076 and KW-089"),
    ]),
    Theme<Self>(
      "4.7 Statistics and riepilogo", keptBy: .device,
      [
        .kw101:
          "A tornata's card shows date, state, topic, location and dinner; a card of statistics total, presences, percentage and streak."
      ]),
  ]
}
