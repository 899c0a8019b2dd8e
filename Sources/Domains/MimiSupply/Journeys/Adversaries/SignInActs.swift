import Contracts
import Journeys
import MimiSupplyContract
import Timekeeping

/// Who says to be somebody (§3.8): newcomers, people who come back, and tokens that prove nothing.
enum SignInActs {
  static let all: [Act] = [returning, together, selecting, tokens, ages]

  /// MS-103: a newcomer, who comes back on another device and under another name, and is the same.
  private static let returning = Act { adversary, me throws(JourneyEnded) in
    let apple = adversary.fresh("apple").text
    for device: DeviceName in ["phone", "phone", "tablet"] {
      let outcome = try await adversary.signIn(
        apple, on: device, by: adversary.fresh("eva").text, me)
      guard case .signedIn(let answer)? = outcome.reply?.content else { return }
      var credential = adversary.corner.nobody
      credential.userToken = answer.userToken
      try await adversary.pause(me)
      _ = try await me.ask(.currentUser(Location(database: "public")), with: credential)
      _ = try await me.ask(.signOut, with: credential)
    }
    // Somebody of the corner, who never signed in this way, has a profile already.
    _ = try await adversary.signIn("apple-\(adversary.corner.name)-stranger", on: "other", me)
  }

  /// MS-103: several devices of one newcomer at once.
  private static let together = Act { adversary, me throws(JourneyEnded) in
    let apple = adversary.fresh("apple").text
    try await adversary.pause(me)
    var asks: [Ask<MimiSupply>] = []
    for device: DeviceName in ["phone", "tablet", "watch", "clock"] {
      let asked = adversary.identity(apple, on: device, me)
      asks.append(Ask(.signIn(asked), with: adversary.corner.nobody))
    }
    _ = try await me.ask(all: asks)
  }

  /// MS-103, MS-108: a role is said at the first sign-in or selected once, and is never that of an admin.
  private static let selecting = Act { adversary, me throws(JourneyEnded) in
    for role in ["admin", "partner"] {
      var asked = adversary.identity(adversary.fresh("apple").text, on: "phone", me)
      asked.role = role
      try await adversary.pause(me)
      _ = try await me.ask(.signIn(asked), with: adversary.corner.nobody)
    }
    let outcome = try await adversary.signIn(adversary.fresh("apple").text, on: "phone", me)
    guard case .signedIn(let answer)? = outcome.reply?.content else { return }
    var credential = adversary.corner.nobody
    credential.userToken = answer.userToken
    for role in ["admin", "driver", "customer"] {
      try await adversary.pause(me)
      _ = try await me.ask(.selectRole(role), with: credential)
    }
  }

  /// MS-104: a nonce that comes again, the hash of another one, and what is no token or nonce at all.
  private static let tokens = Act { adversary, me throws(JourneyEnded) in
    let first = adversary.identity(adversary.fresh("apple").text, on: "phone", me)
    var foreign = adversary.identity(adversary.fresh("apple").text, on: "phone", me)
    foreign.identityToken = first.identityToken
    var short = adversary.identity(adversary.fresh("apple").text, on: "phone", me)
    short.nonce.removeLast()
    var strange = adversary.identity(adversary.fresh("apple").text, on: "phone", me)
    strange.identityToken = "sim.apple"
    for asked in [first, first, foreign, short, strange] {
      try await adversary.pause(me)
      _ = try await me.ask(.signIn(asked), with: adversary.corner.nobody)
    }
  }

  /// MS-104: tokens just within and just beyond ten minutes, and one from the future.
  private static let ages = Act { adversary, me throws(JourneyEnded) in
    for age in [Span.minutes(10) - .seconds(20), .minutes(10), .minutes(60), -.minutes(5)] {
      let asked = adversary.identity(adversary.fresh("apple").text, on: "phone", age: age, me)
      _ = try await me.ask(.signIn(asked), with: adversary.corner.nobody)
      try await adversary.pause(me)
    }
  }
}

extension Adversary {
  /// A proof of an Apple identity, with a nonce of its own.
  fileprivate func identity(
    _ apple: String, on device: DeviceName, age: Span = .zero, _ me: Person<MimiSupply>
  ) -> SignIn {
    let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-._")
    let nonce = me.draw(.mischief) { stream in
      String((0..<32).map { _ in stream.pick(alphabet) })
    }
    let hash = tokens.sha256(Array(nonce.utf8)).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
    let issued = (me.now - age).unixMilliseconds
    return SignIn(
      identityToken: "sim.\(apple).\(hash).\(issued)", nonce: nonce,
      deviceID: "device-\(corner.name)-\(device)")
  }

  @discardableResult
  fileprivate func signIn(
    _ apple: String, on device: DeviceName, by name: String? = nil, _ me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> Outcome<MimiSupply> {
    try await pause(me)
    var asked = identity(apple, on: device, me)
    (asked.fullName, asked.email) = (name, name.map { "\($0)@example.com" })
    return try await me.ask(.signIn(asked), with: corner.nobody)
  }
}
