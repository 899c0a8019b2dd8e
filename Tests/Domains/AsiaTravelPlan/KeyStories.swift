import AsiaTravelPlanContract
import Contracts
import Testing
import Timekeeping

@Suite struct `Checks of an agency whose provider changes its keys` {
  private typealias Story = AgencyStory

  @Test func `know that a key is gone once the API has let in a token of its successor`() {
    func asked(_ keys: [String], areOldDropped: Bool = true) -> [String] {
      Story.violated {
        $0.now += .minutes(2)
        $0.command(.rotateKeys(keepOld: !areOldDropped))
        $0.now += .seconds(2)
        $0.renew("mia", by: "new")
        for key in keys { $0.show("booking_b", by: key) }
      }
    }
    #expect(asked(["key", "new"]) == [])
    #expect(asked(["new", "key"]) == ["ATP-24"])
    #expect(asked(["new", "key"], areOldDropped: false) == [])
  }

  @Test func `know which key is the newest, whoever saw it first`() {
    // The set of keys is read at once, before a token of the new one is given; or a token that was asked for before.
    func asked(_ shown: [String], later: Span, isOldLate: Bool = false) -> [String] {
      Story.violated {
        $0.now += .minutes(2)
        let begun = $0.now
        $0.command(.rotateKeys(keepOld: false))
        if isOldLate {
          $0.now = begun - .milliseconds(500)
          $0.renew("ada", by: "late")
        }
        $0.now = begun + .seconds(2)
        $0.publish(["new"])
        $0.renew("mia", by: "new")
        $0.now += later
        for key in shown { $0.show("booking_b", by: key) }
      }
    }
    #expect(asked(["new"], later: .minutes(20)) == [])
    #expect(asked(["key"], later: .minutes(20)) == ["ATP-24"])
    #expect(asked(["new", "key"], later: .seconds(1)) == ["ATP-24"])
    #expect(asked(["key", "new"], later: .seconds(1)) == [])
    #expect(asked(["new"], later: .minutes(20), isOldLate: true) == [])
    #expect(asked(["late"], later: .minutes(20), isOldLate: true) == ["ATP-24"])
  }

  @Test func `know that a key that was dropped stays so when later ones are kept (ATP-24)`() {
    func asked(_ key: String, isLetIn: Bool, isOldLate: Bool = false) -> [String] {
      Story.violated {
        $0.now += .minutes(2)
        let begun = $0.now
        $0.command(.rotateKeys(keepOld: false))
        if isOldLate {
          $0.now = begun - .milliseconds(500)
          $0.renew("ada", by: "late")
        }
        $0.now = begun + .seconds(2)
        $0.renew("mia", by: "second")
        $0.show("booking_b", by: "second")
        $0.command(.rotateKeys(keepOld: true))
        $0.now += .seconds(2)
        $0.renew("mia", by: "third")
        $0.show("booking_b", by: "third")
        $0.now += .minutes(2)
        $0.show("booking_b", by: key, isLetIn ? nil : .unauthorized)
      }
    }
    #expect(asked("key", isLetIn: true) == ["ATP-24"])
    #expect(asked("key", isLetIn: false) == [])
    for key in ["second", "third"] {
      #expect(asked(key, isLetIn: true) == [])
      #expect(asked(key, isLetIn: false) == ["ATP-24"])
    }
    #expect(asked("late", isLetIn: true, isOldLate: true) == ["ATP-24"])
    #expect(asked("late", isLetIn: false, isOldLate: true) == [])
  }

  @Test func `leave open whether a key is gone that came, or went, while the keys changed`() {
    func asked(isLetIn: Bool, isShownLater: Bool) -> [String] {
      Story.violated {
        $0.now += .minutes(2)
        let begun = $0.now
        $0.command(.rotateKeys(keepOld: false))
        $0.now = begun - .milliseconds(500)
        $0.renew("ada", by: "doubtful")
        $0.now = begun + .seconds(2)
        if isShownLater { $0.publish(["doubtful"]) }
        $0.command(.rotateKeys(keepOld: true))
        $0.now += .seconds(2)
        $0.renew("mia", by: "third")
        $0.show("booking_b", by: "third")
        $0.now += .minutes(2)
        $0.show("booking_b", by: "doubtful", isLetIn ? nil : .unauthorized)
      }
    }
    for isLetIn in [true, false] { #expect(asked(isLetIn: isLetIn, isShownLater: false) == []) }
    #expect(asked(isLetIn: true, isShownLater: true) == [])
    #expect(asked(isLetIn: false, isShownLater: true) == ["ATP-24"])
  }
}

extension AgencyStory {
  /// Tokens of a user are renewed, signed by a key.
  fileprivate mutating func renew(_ user: String, by key: String) {
    ask(
      .token(TokenRequest(grantType: "refresh_token")), as: user, nil,
      .replied(.tokens(Self.tokens(of: user, at: now, key: key))))
  }

  fileprivate mutating func publish(_ keys: [String]) {
    ask(
      .keySet(realm: "master"), as: "otto", nil,
      .replied(.keys(KeySet(keys.map { .init(kid: $0, n: .text("n")) }))))
  }

  /// The manager asks for a booking with a token that a key signed.
  fileprivate mutating func show(
    _ id: String, by key: String, _ refusal: Agency.APIRefusal? = nil
  ) {
    let detail = BookingDetail(booking: Self.booking(id), customer: nil)
    ask(
      .booking(id: id), as: "mia", .bearer(.issued(Self.claims(of: "mia", at: now), key: key)),
      refusal.map { .refused(.api($0, about: "")) } ?? .replied(.booking(detail)))
  }
}
