import Contracts
import Journeys
import KantineKoningContract
import Timekeeping

extension Adversary {
  /// Names that are too long, empty, doubled or not there, more names than are wanted (KK-63), and diensten that are
  /// over; each change makes a later version (KK-52).
  func breakNames(as me: Person<KantineKoning>) async throws(JourneyEnded) {
    let own = managerRight.codes
    func covered(future: Bool) -> [Fixture.DienstEntry] {
      diensten(of: home, future: future, as: me).filter { $0.team.map(own.contains) ?? false }
    }
    if let past = pick(covered(future: false), as: me) {
      // What has begun is closed to every name, good or bad (KK-56, §3.2).
      for name in ["Te laat", Self.sixteen, " "] {
        try await change(past.id, [.add(name)], as: me)
        try await change(past.id, [.remove(name)], as: me)
      }
      try await change(past.id, [.remove(past.aanmeldingen.first ?? "Te laat")], as: me)  // KK-57
    }
    guard let dienst = pick(covered(future: true), as: me)?.id else { return }
    for name in [Self.sixteen, Self.sixteenComposed, Self.fifteenComposed, Self.fifteen] {
      try await change(dienst, [.add(name)], as: me)  // KK-58
    }
    try await change(dienst, [.add(Self.oneOfMany)], as: me)  // KK-58
    for blank in ["", "   ", "\t\n"] + Self.unseen {
      try await change(dienst, [.add(blank)], as: me)  // KK-60
    }
    let name = "Dubbel \(me.draw(.mischief) { $0.pick(0..<1_000) })"
    try await change(dienst, [.add(name), .add(name)], as: me)  // KK-59, at once
    try await change(dienst, [.add("  \(name) ")], as: me)  // KK-59, KK-60
    let storm: [Change] = [.add("Anna"), .remove(name), .add("Bea"), .add("Cees")]
    try await change(dienst, storm, as: me)  // KK-64
    try await change(dienst, [.add("anna")], as: me)  // KK-59: another name
    try await change(dienst, [.remove(name)], as: me)
    try await change(dienst, [.remove("Niet daar")], as: me)
    for name in ["Anna", "anna", "Bea", "Cees", Self.fifteen, Self.fifteenComposed] {
      try await change(dienst, [.remove(name)], as: me)
    }
  }

  /// Sixteen characters in sixteen bytes.
  static let sixteen = "Maximiliaan Alex"
  /// Sixteen characters, one of them composed of two code points.
  static let sixteenComposed = "Maximilia\u{0061}\u{0308}n Alex"
  /// Fifteen characters of which three are composed, one of them for good: at most fifteen, though more code points.
  static let fifteenComposed = "Zoe\u{0308} Andre\u{0301} Loq\u{0308}sa"
  static let fifteen = "Annemarie-Sofie"
  /// One character of a thousand code points.
  static let oneOfMany = "A" + String(repeating: "\u{0301}", count: 999)
  /// Names of which nothing can be seen: a null, a space without width, a mark of byte order.
  static let unseen = ["\u{0}", "\u{200B}", "\u{FEFF}"]

  private enum Change {
    case add(String)
    case remove(String)
  }

  /// Makes changes of one dienst, all at once when there are several.
  private func change(
    _ dienst: DienstID, _ changes: [Change], as me: Person<KantineKoning>
  ) async throws(JourneyEnded) {
    try await pause(me)
    _ = try await me.ask(
      all: changes.map { change in
        switch change {
        case .add(let name):
          Ask(
            .addVolunteer(VolunteerChange(dienstID: dienst, tenant: home.slug, naam: name)),
            with: managerRight.credential)
        case .remove(let name):
          Ask(
            .removeVolunteer(VolunteerChange(dienstID: dienst, tenant: home.slug, naam: name)),
            with: managerRight.credential)
        }
      })
  }
}
