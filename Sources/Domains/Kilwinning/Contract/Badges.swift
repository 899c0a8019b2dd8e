/// What the app shows beside names and figures (KW-032, KW-091, KW-096 to KW-098).
public enum Badges {
  public enum Colour: String, Hashable, Sendable { case green, orange, red, blue, grey }

  /// By the degree's name in any case, plurals included; ◆ for what is none (KW-032).
  public static func degreeIcon(_ grado: String) -> String {
    switch grado.lowercased() {
    case "maestro", "maestri": "🔶"
    case "compagno", "compagni": "🔷"
    case "apprendista", "apprendisti": "🔹"
    default: "◆"
    }
  }

  /// The icon and the degree (KW-097).
  public static func degree(_ grado: Fratello.Grado) -> String {
    degreeIcon(grado.rawValue) + " " + grado.rawValue
  }

  /// KW-096.
  public static func colour(ofPercentage percentage: Int) -> Colour {
    switch percentage {
    case 90...100: .green
    case 70..<90: .orange
    default: .red
    }
  }

  /// KW-098, by the state's name.
  public static func colour(ofState stato: String) -> Colour {
    switch Tornata.Stato(rawValue: stato) {
    case .programmata: .blue
    case .completata: .green
    case .annullata: .red
    case nil: .grey
    }
  }

  /// The attendance rate as the dashboard card shows it: halves to the even neighbour (KW-091).
  public static func shownPercentage(_ rate: Double) -> String {
    "\(Int((rate * 100).rounded(.toNearestOrEven)))%"
  }

  /// The streak beside its flame; none while it is 0 (KW-098).
  public static func streak(_ count: Int) -> String? { count > 0 ? "🔥 \(count)" : nil }
}
