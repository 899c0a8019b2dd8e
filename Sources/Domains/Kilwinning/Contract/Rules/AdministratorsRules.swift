import Contracts

extension Kilwinning.Rule {
  /// Administrators: KW-020 to KW-027.
  static let administrators = [
    Theme<Self>(
      "4.2 Administrators",
      [
        .kw020:
          "A fratello is administrator exactly when his nome equals one of the configured names.",
        .kw021: "Nothing else grants or removes the right: not grado, carica, email nor id.",
        .kw022:
          "admin_access is derived for every answer and every check; what a client sends is ignored.",
        .kw023: "Creating, changing and deleting tornate takes administrator right.",
        .kw024: "Changing a degree takes administrator right, also one's own.",
      ]),
    Theme<Self>(
      "4.2 Administrators", keptBy: .device,
      [
        .kw025:
          "A device of no administrator shows no management and sends no request below /admin.",
        .kw026:
          "The dashboard's header shows name, grado and, for administrators alone, an ADMIN badge.",
      ]),
    Theme<Self>(
      "4.2 Administrators",
      [
        .kw027:
          "The administrators' names are configured; where nobody bears them there is no administrator."
      ]),
  ]
}
