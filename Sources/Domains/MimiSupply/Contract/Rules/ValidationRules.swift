import Contracts

extension MimiSupply.Rule {
  /// §4.2 Schema and validation: MS-13 to MS-27.
  static let validation = Theme<Self>([
    .ms13: "Every field marked required is present after every successful write."
      .stated(in: "Seed field tables"),
    .ms14: "Values have the documented type; flags are 0 or 1.".stated(in: "Seed"),
    .ms15: "Unknown record types and fields are refused.".stated(in: "Decision"),
    .ms16: "Partner constraints of 2.2 hold.".stated(in: "03_… \"Validierungsregeln\""),
    .ms17: "Product constraints of 2.3 hold.".stated(in: "03_…"),
    .ms18: "Order: valid status, sum identity, delivery estimate in the future at creation."
      .stated(in: "03_…"),
    .ms19: "Driver constraints of 2.6 hold, one Driver per user, one UserProfile per Apple id."
      .stated(in: "Seed; Decision"),
    .ms20: "DriverLocation ranges of 2.7 hold; records are never updated.".stated(in: "03_…"),
    .ms21: "Rating of a completion lies in 1–5.".stated(in: "03_…"),
    .ms22: "Role is one of the four values.".stated(in: "Seed"),
    .ms23: "Embedded JSON documents conform to 2.10.".stated(in: "Seed (\"JSON-String\"), 03_…"),
    .ms24: """
    Every reference (partnerId, productId, driverId, orderId, userId, customerId) points to an \
    existing record of the right type at the time of writing: else 412 VALIDATING_REFERENCE_ERROR. \
    A private target outside the caller's visible set counts as missing.
    """.stated(in: "03_… \"Referentielle Integrität\""),
    .ms25: "Deleting a partner removes its products in the same commit; no orphan remains."
      .stated(in: "03_…"),
    .ms26: """
    Immutable fields (section 2) never change; an attempt is refused with reason immutable_field.
    """.stated(in: "Decision, from the roles of the fields"),
    .ms27: """
    Text input is sanitised: control characters except newline and tab are refused, text is stored \
    byte-exact otherwise and always JSON-escaped on output; markup is never interpreted. \
    Client-side validation happens before upload, server-side validation always happens too.
    """.stated(in: "Seed \"Datenvalidierung\""),
  ])
}
