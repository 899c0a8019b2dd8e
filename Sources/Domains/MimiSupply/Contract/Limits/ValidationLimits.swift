import Contracts

extension MimiSupply {
  /// §4.2 Schema and validation: MS-13 to MS-27.
  static let validationLimits: [Limit] = [
    Limit(
      "MS-13",
      """
      Every field marked required is present after every successful write.
      """,
      source: "Seed field tables"),
    Limit(
      "MS-14",
      """
      Values have the documented type; flags are 0 or 1.
      """,
      source: "Seed"),
    Limit(
      "MS-15",
      """
      Unknown record types and fields are refused.
      """,
      source: "Decision"),
    Limit(
      "MS-16",
      """
      Partner constraints of 2.2 hold.
      """,
      source: "03_… \"Validierungsregeln\""),
    Limit(
      "MS-17",
      """
      Product constraints of 2.3 hold.
      """,
      source: "03_…"),
    Limit(
      "MS-18",
      """
      Order: valid status, sum identity, delivery estimate in the future at creation.
      """,
      source: "03_…"),
    Limit(
      "MS-19",
      """
      Driver constraints of 2.6 hold, one Driver per user, one UserProfile per Apple id.
      """,
      source: "Seed; Decision"),
    Limit(
      "MS-20",
      """
      DriverLocation ranges of 2.7 hold; records are never updated.
      """,
      source: "03_…"),
    Limit(
      "MS-21",
      """
      Rating of a completion lies in 1–5.
      """,
      source: "03_…"),
    Limit(
      "MS-22",
      """
      Role is one of the four values.
      """,
      source: "Seed"),
    Limit(
      "MS-23",
      """
      Embedded JSON documents conform to 2.10.
      """,
      source: "Seed (\"JSON-String\"), 03_…"),
    Limit(
      "MS-24",
      """
      Every reference (partnerId, productId, driverId, orderId, userId, customerId) points \
      to an existing record of the right type at the time of writing: else 412 \
      VALIDATING_REFERENCE_ERROR. A private target outside the caller's visible set counts \
      as missing.
      """,
      source: "03_… \"Referentielle Integrität\""),
    Limit(
      "MS-25",
      """
      Deleting a partner removes its products in the same commit; no orphan remains.
      """,
      source: "03_…"),
    Limit(
      "MS-26",
      """
      Immutable fields (section 2) never change; an attempt is refused with reason \
      immutable_field.
      """,
      source: "Decision, from the roles of the fields"),
    Limit(
      "MS-27",
      """
      Text input is sanitised: control characters except newline and tab are refused, text \
      is stored byte-exact otherwise and always JSON-escaped on output; markup is never \
      interpreted. Client-side validation happens before upload, server-side validation \
      always happens too.
      """,
      source: "Seed \"Datenvalidierung\""),
  ]
}
