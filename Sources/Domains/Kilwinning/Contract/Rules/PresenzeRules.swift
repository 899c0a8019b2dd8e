import Contracts

extension Kilwinning.Rule {
  /// Presenze: KW-060 to KW-072.
  static let presenze = [
    Theme<Self>(
      "4.5 Presenze",
      [
        .kw060: "A confirmation writes the presenza of the session's own fratello.",
        .kw061: "Writing for another fratello is refused with 403, except from an administrator.",
        .kw062:
          "tornata_id has to be a whole number and presente true or false; nothing is converted.",
        .kw063:
          "There is one record for a fratello and a tornata; later writes overwrite it in place.",
        .kw064:
          "A write stores Presente or Assente and its own time, also where the value does not change.",
        .kw065:
          "Planned and held tornate, past and future, take writes; a cancelled one refuses them with 409.",
        .kw066: "A write for a tornata before the fratello's iniziazione is refused with 422.",
        .kw067: "Once a write is answered every later read of any session shows it.",
        .kw068:
          "Presenze are the stored records that pass iniziazione and anno, in any state of the tornata, newest tornata first.",
        .kw069: "Any session may read presenze and statistics of any fratello.",
        .kw070:
          "A confirmation after the fifth civil day before the tornata, and before it begins, is marked oltre_termine.",
        .kw071: "Concurrent writes leave one record with the value of the last one.",
        .kw072:
          "A repeat with the same key, fratello and body within 24 h gets the first answer and changes nothing; with another body it is refused with 409.",
      ])
  ]
}
