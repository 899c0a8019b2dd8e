import Contracts

extension Toy {
  /// The rules of the workshop's notice board, in its words.
  public static let limits: [Limit] =
    (Limit.stated(
      under: "Members",
      [
        .ty01: "A member signs in with name and PIN; a wrong PIN is refused.",
        .ty02: "Everything else takes a token that a sign-in gave.",
        .ty11: "Members see their own loans alone.",
      ])
    + Limit.stated(
      under: "Lending",
      [
        .ty03: "A tool is lent to one member at a time.",
        .ty04: "A member has at most three tools.",
        .ty05: "A tool is given back by who borrowed it.",
        .ty08: "Who has a tool when it is due is reminded at once.",
        .ty09: "A borrowing repeated with its key gets the first answer and lends nothing.",
      ])
    + Limit.stated(
      under: "Reserving",
      [
        .ty06: "A tool that came back is kept for an hour for who is told of it.",
        .ty07: "Who reserved a tool first is told first.",
      ])
    + Limit.stated(
      under: "The app", keptBy: .device,
      [
        .ty10:
          "A borrowing without an answer is repeated with the same key, three attempts in all."
      ])).sorted { $0.id < $1.id }.map { $0.found(at: limitPlaces[$0.id]) }
}

extension LimitID {
  public static let ty01: LimitID = "TY-01"
  public static let ty02: LimitID = "TY-02"
  public static let ty03: LimitID = "TY-03"
  public static let ty04: LimitID = "TY-04"
  public static let ty05: LimitID = "TY-05"
  public static let ty06: LimitID = "TY-06"
  public static let ty07: LimitID = "TY-07"
  public static let ty08: LimitID = "TY-08"
  public static let ty09: LimitID = "TY-09"
  public static let ty10: LimitID = "TY-10"
  public static let ty11: LimitID = "TY-11"
}
