import Contracts
import Journeys
import MimiSupplyContract
import Timekeeping

/// What is tried against §4.1: the limits of the platform.
enum PlatformActs {
  static let all: [Act] =
    [bursts, halves, twoDevices, twoSessions, twoUsers, anonymousBurst]
    + SizeActs.all + BatchActs.all

  // MS-01, MS-02: at the limit, one above it, and far above it; and again after the wait that is asked for.
  private static let bursts = Act { adversary, me throws(JourneyEnded) in
    let count = me.draw(.mischief) { $0.pick([40, 41, 60]) }
    try await adversary.pause(me)
    let waits = try await adversary.burst([(.subject, nil, count)], me)
    if let longest = waits.max() {
      try await me.think(longest)
      _ = try await me.ask(adversary.trifle, with: adversary.corner.credential(.subject))
    }
    try await me.think(.seconds(3))
  }

  // MS-01: two bursts that lie across the bounds of seconds, some part of a window apart.
  private static let halves = Act { adversary, me throws(JourneyEnded) in
    try await adversary.pause(me)
    let size = me.draw(.mischief) { $0.pick([20, 25, 39]) }
    _ = try await adversary.burst([(.subject, nil, size)], me)
    let pause = me.draw(.mischief) { $0.pick([0, 300, 600, 950, 1_100]) }
    try await me.think(.milliseconds(Int64(pause)))
    _ = try await adversary.burst([(.subject, nil, size)], me)
    try await me.think(.seconds(3))
  }

  // MS-03: the devices of one user share his budget.
  private static let twoDevices = Act { adversary, me throws(JourneyEnded) in
    try await adversary.pause(me)
    let device = DeviceName("\(adversary.corner.device(.subject))-2")
    _ = try await adversary.burst([(.subject, nil, 30), (.subject, device, 30)], me)
    try await me.think(.seconds(3))
  }

  // MS-03: nor does another session on one device give another budget.
  private static let twoSessions = Act { adversary, me throws(JourneyEnded) in
    let device = adversary.corner.device(.subject)
    let apple = "apple-\(adversary.corner.name)-subject"
    guard let answer = try await adversary.enter(apple, on: device, me) else { return }
    let second = MimiSupply.Credential(
      apiToken: "mimi-app", userToken: answer.userToken, deviceID: device)
    let asks = [adversary.corner.credential(.subject), second].flatMap { credential in
      (0..<30).map { _ in Ask<MimiSupply>(adversary.trifle, with: credential) }
    }
    try await adversary.pause(me)
    _ = try await me.ask(all: asks)
    try await me.think(.seconds(3))
    try await adversary.ask(.signOut, with: second, me)
  }

  // MS-03: two users do not share theirs.
  private static let twoUsers = Act { adversary, me throws(JourneyEnded) in
    try await adversary.pause(me)
    _ = try await adversary.burst([(.subject, nil, 38), (.stranger, nil, 38)], me)
    try await me.think(.seconds(3))
  }

  // MS-01: who is nobody is counted by his device.
  private static let anonymousBurst = Act { adversary, me throws(JourneyEnded) in
    let asks = (0..<45).map { _ in
      Ask<MimiSupply>(
        .lookup(Location(database: "public"), Lookup([.init(adversary.corner.dish)])),
        with: adversary.corner.nobody)
    }
    try await adversary.pause(me)
    _ = try await me.ask(all: asks)
    try await me.think(.seconds(2))
  }
}

extension Adversary {
  /// A request that costs next to nothing.
  fileprivate var trifle: MimiSupply.Request { .currentUser(Location(database: "public")) }

  /// Many requests at once.
  ///
  /// - Returns: How long those are to wait that were refused.
  fileprivate func burst(
    _ parts: [(role: Corner.Role, device: DeviceName?, count: Int)], _ me: Person<MimiSupply>
  ) async throws(JourneyEnded) -> [Span] {
    let asks = parts.flatMap { part in
      (0..<part.count).map { _ in
        Ask<MimiSupply>(trifle, with: corner.credential(part.role, device: part.device))
      }
    }
    return try await me.ask(all: asks).compactMap { $0.refusal?.failure.retryAfter }
  }
}
