import Contracts

extension Kilwinning.Rule {
  /// Fratelli: KW-030 to KW-038.
  static let fratelli = [
    Theme<Self>(
      "4.3 Fratelli",
      [
        .kw030: "The list holds every fratello, whole and without pages.",
        .kw031: "Fratelli are listed by degree, then by name in the order of code points.",
      ]),
    Theme<Self>(
      "4.3 Fratelli", keptBy: .device,
      [
        .kw032:
          "Maestro is shown as 🔶, Compagno as 🔷, Apprendista as 🔹, plurals included, anything else as ◆."
      ]),
    Theme<Self>(
      "4.3 Fratelli",
      [
        .kw033:
          "In a degree change grado is required; a date that is absent stays, one that is null is cleared, a value replaces it.",
        .kw034: "Dates out of order are refused with 422 and change nothing.",
        .kw035: "A changed iniziazione acts at once and on the past.",
        .kw036: "A degree change changes nothing else, whatever else is sent.",
        .kw037: "A fixture in which two fratelli have one name is refused.",
      ]),
    Theme<Self>([
      .kw038: "No operation creates, renames or deletes a fratello; GET /fratelli/:id is 405."
        .stated(in: "4.3 Fratelli", keptBy: .nobody, unjudged: "it follows from the routes")
    ]),
  ]
}
