import Contracts
import Timekeeping

extension Toy {
  static let mostTools = Figure(Rule.ty04, 3, "tools")
  static let keptFor = Figure(Rule.ty06, Span.hours(1))
  /// How often an app asks for a tool before it gives up.
  public static let mostAttempts = Figure(Rule.ty10, 3, "attempts")

  /// The rules of the workshop's notice board, in its words.
  public enum Rule: String, Contracts.Rule {
    case ty01, ty02, ty03, ty04, ty05, ty06, ty07, ty08, ty09, ty10
    case ty11

    public static let themes = [
      Theme<Self>(
        "Members",
        [
          .ty01: "A member signs in with name and PIN; a wrong PIN is refused.",
          .ty02: "Everything else takes the token that the member's last sign-in gave.",
          .ty11: "Members see their own loans alone.",
        ]),
      Theme<Self>(
        "Lending",
        [
          .ty03: "A tool is lent to one member at a time.",
          .ty04: "A member has at most \(mostTools), or as many as the workshop decides.",
          .ty05: "A tool is given back by who borrowed it.",
          .ty08: "Who has a tool when it is due is reminded at once.",
          .ty09: "A borrowing repeated with its key gets the first answer and lends nothing.",
        ]),
      Theme<Self>(
        "Reserving",
        [
          .ty06:
            "A tool that came back is kept for who is told of it: \(keptFor), or what the workshop decides.",
          .ty07: "Who reserved a tool first is told first.",
        ]),
      Theme<Self>(
        "The app", keptBy: .device,
        [
          .ty10:
            "A borrowing without an answer is repeated with the same key, \(mostAttempts) in all."
        ]),
    ]
  }
}
