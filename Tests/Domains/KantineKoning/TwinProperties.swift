import Contracts
import KantineKoningContract
import Testing
import Timekeeping

/// Histories drawn at random; a failure prints the seed that repeats it.
@Suite struct `Random histories at Kantine Koning's twin` {
  private static let seeds: [UInt64] = Array(1...60)
  private static let phones: [HardwareID] = ["phone-1", "phone-2", "phone-3", ""]
  private static let codes: [TeamName] = ["JO11-3", "JO9-1", "JO11-1", "MO13-1", "1", "VR1"]

  private static func dice(_ seed: UInt64) -> RandomStream {
    RandomStream(seed: seed, owner: 2, purpose: 2)
  }

  /// Some codes of a club, at least one.
  private static func some(of codes: [TeamName], _ dice: inout RandomStream) -> [TeamName] {
    let chosen = codes.filter { _ in dice.chance(0.3) }
    return chosen.isEmpty ? [dice.pick(codes)] : chosen
  }

  /// A registration of somebody for something; its token when it succeeded.
  private static func register(
    in canteen: inout Canteen, _ dice: inout RandomStream
  ) -> DeviceToken? {
    let phone = dice.pick(phones)
    let answer: KKAnswer
    switch dice.pick(0..<4) {
    case 0: answer = canteen.manage(some(of: ["JO11-3", "JO9-1", "1"], &dice), on: phone)
    case 1:
      answer = canteen.follow(some(of: ["JO11-3", "JO10-5"], &dice), of: Canteen.agovv, on: phone)
    default: answer = canteen.follow(some(of: codes, &dice), on: phone)
    }
    return answer.registration?.apiToken
  }

  private static func randomList(_ dice: inout RandomStream) -> [SyncItem] {
    (0..<dice.pick(1..<4)).map { _ in
      let role = dice.chance(0.3) ? "manager" : "member"
      return dice.chance(0.3)
        ? item(role, some(of: ["JO11-3", "JO10-5"], &dice), of: Canteen.agovv, on: nil)
        : item(role, some(of: codes, &dice), on: nil)
    }
  }

  @Test(arguments: seeds)
  func `KK-14, KK-19: no phone follows a sixth team or one team twice`(seed: UInt64) {
    var canteen = Canteen(seed: seed)
    var dice = Self.dice(seed)
    for _ in 0..<40 {
      _ = Self.register(in: &canteen, &dice)
      for phone in Self.phones where !phone.isEmpty {
        let pairs = canteen.inspect().filter { $0.isActive && $0.hardwareIdentifier == phone }
          .flatMap { row in row.teamCodes.map { "\(row.tenantSlug) \($0)" } }
        #expect(pairs.count <= 5, "seed \(seed)")
        #expect(Set(pairs).count == pairs.count, "seed \(seed)")
      }
      #expect(canteen.inspect().allSatisfy { (1...5).contains($0.teamCodes.count) }, "seed \(seed)")
    }
  }

  @Test(arguments: seeds)
  func
    `KK-69, KK-77, KK-79: a sync touches its own phone alone, enlarges nothing and repeats as zeros`(
      seed: UInt64
    )
  {
    var canteen = Canteen(seed: seed)
    var dice = Self.dice(seed)
    var tokens: [(token: DeviceToken, row: Int)] = []
    for _ in 0..<30 {
      if dice.chance(0.6) || tokens.isEmpty {
        if let token = Self.register(in: &canteen, &dice) {
          tokens.append((token, canteen.inspect().count - 1))
        }
        continue
      }
      let (token, row) = dice.pick(tokens)
      let before = canteen.inspect()
      let list = Self.randomList(&dice)
      let answer = canteen.sync(list, with: token)
      let after = canteen.inspect()
      #expect(after.count == before.count, "seed \(seed)")
      for (index, (old, new)) in zip(before, after).enumerated() {
        let isOwn =
          before[row].hardwareIdentifier.isEmpty
          ? index == row : old.hardwareIdentifier == before[row].hardwareIdentifier
        #expect(isOwn || old == new, "seed \(seed): another phone changed")
        #expect(new.teamCodes.allSatisfy(old.teamCodes.contains), "seed \(seed): enlarged")
        #expect(old.isActive || !new.isActive, "seed \(seed): revived")
        #expect(old.role == new.role, "seed \(seed)")
      }
      guard answer.summary != nil, after[row].isActive else { continue }
      let again = canteen.sync(list, with: token).summary
      #expect(
        again == CleanupSummary(enrollmentsRevoked: 0, teamsRemoved: 0, tenantsAffected: []),
        "seed \(seed)")
    }
  }

  @Test(arguments: seeds)
  func `KK-64: the names on a dienst are the adds less the removes, in order of entry`(seed: UInt64)
  {
    var canteen = Canteen(seed: seed)
    var dice = Self.dice(seed)
    let tokens = (1...3).map { canteen.manage(["JO11-3"], on: "phone-\($0)").token }
    let names = [
      "Jan", "Piet", "Fatima", "jan", "Zoë", "Andre\u{301}", "Andr\u{e9}", "", "ABCDEFGHIJKLMNOP",
    ]
    var expected: [String] = []
    var version = Instant.distantPast
    for _ in 0..<60 {
      let name = dice.pick(names)
      canteen.now += .milliseconds(Int64(dice.pick(0..<3)))
      let isAdding = dice.chance(0.6)
      let token = dice.pick(tokens)
      let answer = isAdding ? canteen.add(name, with: token) : canteen.remove(name, with: token)
      if let dienst = answer.dienst {
        if isAdding { expected.append(name) } else { expected.removeAll { $0 == name } }
        #expect(dienst.aanmeldingen == expected, "seed \(seed)")
        #expect(dienst.updatedAt > version, "seed \(seed)")
        version = dienst.updatedAt
      }
    }
  }

  @Test(arguments: seeds.prefix(10))
  func `two twins with one seed answer alike, identifiers included`(seed: UInt64) {
    var logs: [[String]] = []
    for _ in 0..<2 {
      var canteen = Canteen(seed: seed)
      var dice = Self.dice(seed)
      var log: [String] = []
      for _ in 0..<20 { log.append("\(Self.register(in: &canteen, &dice) as Any)") }
      log.append("\(canteen.inspect())")
      logs.append(log)
    }
    #expect(logs[0] == logs[1], "seed \(seed)")
  }

  @Test(arguments: seeds.prefix(20))
  func `a refused request changes nothing but last_seen_at`(seed: UInt64) {
    var canteen = Canteen(seed: seed)
    var dice = Self.dice(seed)
    for _ in 0..<30 {
      let before = canteen.inspect()
      if Self.register(in: &canteen, &dice) == nil {
        #expect(canteen.inspect() == before, "seed \(seed)")
      }
    }
  }

  @Test(arguments: seeds)
  func `what each look shows as changed adds up to all that is there`(seed: UInt64) throws {
    var canteen = Canteen(seed: seed)
    var dice = Self.dice(seed)
    var tokens: [DeviceToken] = []
    var look = canteen.look()
    var known = Dictionary(uniqueKeysWithValues: look.enrollments.map { ($0.deviceID, $0) })
    for _ in 0..<30 {
      for _ in 0..<dice.pick(0..<4) {
        canteen.now += .minutes(1)
        change(&canteen, &tokens, &dice)
      }
      look = canteen.look(since: look.extent.look)
      #expect(look.extent.isWhole == false)
      for device in look.gone { known[device] = nil }
      for enrollment in look.enrollments { known[enrollment.deviceID] = enrollment }
      var copy = canteen
      let all = copy.look().enrollments
      #expect(Set(known.values) == Set(all), "seed \(seed)")
    }
    #expect(canteen.look(since: look.extent.look).enrollments.isEmpty, "nothing has changed")
  }

  private func change(
    _ canteen: inout Canteen, _ tokens: inout [DeviceToken], _ dice: inout RandomStream
  ) {
    switch dice.pick(0..<8) {
    case 0: canteen.operate(.endSeason(tenant: Canteen.agovv))
    case 1: canteen.operate(.resetSeason(tenant: Canteen.agovv))
    case 2:
      let rows = canteen.inspect()
      if !rows.isEmpty {
        let row = dice.pick(rows)
        canteen.operate(.revokeEnrollment(deviceID: row.deviceID, reason: .removed))
      }
    case 3 where !tokens.isEmpty: _ = canteen.sync(Self.randomList(&dice), with: dice.pick(tokens))
    default: if let token = Self.register(in: &canteen, &dice) { tokens.append(token) }
    }
  }

  @Test func `a look shows the pushes that were sent or answered since the last one`() {
    var canteen = Canteen()
    let token = canteen.follow(["JO11-3"]).registration?.apiToken
    let device = canteen.inspect()[0].deviceID
    #expect(token != nil)
    let first = canteen.look()
    canteen.operate(.sendTestPush(deviceID: device, title: "Proef", body: "Een"))
    let second = canteen.look(since: first.extent.look)
    #expect(second.deliveries.map(\.deviceID) == [device])
    #expect(canteen.look(since: second.extent.look).deliveries.isEmpty)
  }
}
