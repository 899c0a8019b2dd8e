import Contracts

extension MimiSupply.Rule {
  /// §4.2 Schema and validation: MS-13 to MS-27.
  static let validation = Theme<Self>([
    .ms13: Stated(
      "Every field marked required is present after every successful write.",
      source: "Seed field tables"),
    .ms14: Stated("Values have the documented type; flags are 0 or 1.", source: "Seed"),
    .ms15: Stated("Unknown record types and fields are refused.", source: "Decision"),
    .ms16: Stated("Partner constraints of 2.2 hold.", source: "03_… \"Validierungsregeln\""),
    .ms17: Stated("Product constraints of 2.3 hold.", source: "03_…"),
    .ms18: Stated(
      "Order: valid status, sum identity, delivery estimate in the future at creation.",
      source: "03_…"),
    .ms19: Stated(
      "Driver constraints of 2.6 hold, one Driver per user, one UserProfile per Apple id.",
      source: "Seed; Decision"),
    .ms20: Stated("DriverLocation ranges of 2.7 hold; records are never updated.", source: "03_…"),
    .ms21: Stated("Rating of a completion lies in 1–5.", source: "03_…"),
    .ms22: Stated("Role is one of the four values.", source: "Seed"),
    .ms23: Stated(
      "Embedded JSON documents conform to 2.10.", source: "Seed (\"JSON-String\"), 03_…"),
    .ms24: Stated(
      """
      Every reference (partnerId, productId, driverId, orderId, userId, customerId) points to an \
      existing record of the right type at the time of writing: else 412 \
      VALIDATING_REFERENCE_ERROR. A private target outside the caller's visible set counts as \
      missing.
      """, source: "03_… \"Referentielle Integrität\""),
    .ms25: Stated(
      "Deleting a partner removes its products in the same commit; no orphan remains.",
      source: "03_…"),
    .ms26: Stated(
      """
      Immutable fields (section 2) never change; an attempt is refused with reason \
      immutable_field.
      """, source: "Decision, from the roles of the fields"),
    .ms27: Stated(
      """
      Text input is sanitised: control characters except newline and tab are refused, text is \
      stored byte-exact otherwise and always JSON-escaped on output; markup is never interpreted. \
      Client-side validation happens before upload, server-side validation always happens too.
      """, source: "Seed \"Datenvalidierung\""),
  ])
}
