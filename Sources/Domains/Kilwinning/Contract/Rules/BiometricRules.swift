import Contracts

extension Kilwinning.Rule {
  /// Biometric re-login: KW-145 to KW-149.
  static let biometric = [
    Theme<Self>(
      "4.12 Biometric re-login", keptBy: .device,
      [
        .kw145:
          "Enrolment is offered after a first normal login alone, and stores name and id in the secure store.",
        .kw146:
          "An enrolled device asks for the biometric in place of the login screen; success logs in by the stored name without a list.",
        .kw147: "Failure or cancellation leads to the list; there is one prompt a launch.",
        .kw148: "The biometric revives no expired session, and logs nobody in without network.",
        .kw149: "Logout, or 401 on the stored name, removes the enrolment.",
      ])
  ]
}
