import Contracts
import KantineKoningContract
import Observations
import Timekeeping

/// Device identity: KK-01 to KK-10.
enum IdentityChecks {
  static let all: [KKCheck] = [
    .each(.kk01, .asking(.register, .sync)) { call, judge in
      for identifier in identifiers(in: call.request) where !identifier.isEmpty {
        judge.expect(
          identifier.isRandomUUID || isUUID(identifier.text), "sent the identifier '\(identifier)'")
      }
    },
    .history(.kk03, [.asks(.register), .controls], GivenOutOnce.init),
    .history(.kk04, [.notes], KeptIdentifier.init),
    .note(.kk05) { note, _, judge in
      if case .identifierChanged(let old, let new, _) = note {
        judge.expect(old != new, "another installation kept the identifier '\(old)'")
      }
    },
    .history(
      .kk06, [.notes, .inspections, .asks(.register), .asks(.tenants)], NothingCarriedOver.init),
    .history(
      .kk07, Set<Concern>.authenticated.union([.notes, .asks(.register)]), by: CellFacts.self,
      ReplacedPhones.init),
    .history(.kk08, [.notes, .asks(.sync)], by: CellFacts.self, UndisturbedPhones.init),
    .each(.kk10, .asking(.register)) { call, judge in
      guard let registration = call.registration, registration.hardwareIdentifier.isEmpty,
        let claims = registration.token.claims, claims.teamCodes.count <= 5
      else { return }
      switch call.code {
      case .teamConflict, .enrollmentLimitExceeded, .deviceAlreadyEnrolled:
        judge.violated("a phone without identifier was refused as \(call.code!.rawValue)")
      default: if call.isReplied { judge.held() }
      }
    },
  ]

  private static func identifiers(in request: KantineKoning.Request) -> [HardwareID] {
    switch request {
    case .register(let registration): [registration.hardwareIdentifier]
    case .sync(let list): list.items.compactMap(\.hardwareIdentifier)
    default: []
    }
  }

  private static func isUUID(_ text: String) -> Bool {
    guard text.utf8.count == 36 else { return false }
    return zip(0..., text.utf8).allSatisfy { place, byte in
      switch place {
      case 8, 13, 18, 23: byte == UInt8(ascii: "-")
      default: isHexadecimal(byte)
      }
    }
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default: false
    }
  }
}

/// KK-03: an identifier is given to one enrollment.
private struct GivenOutOnce: History {
  static let scope = Scope<KantineKoning>.each(
    "device_id given out", by: EnrollmentID.self,
    asked: { call, tell in if let answer = call.registered { tell(answer.deviceID) } },
    commanded: { command, tell in
      guard case .load(let fixture) = command else { return }
      for entry in fixture.enrollments { tell(entry.deviceID) }
    })
  private var times = 0

  mutating func asked(_ call: KKCall, at moment: Moment, _ judge: inout Judge) {
    giveOut(&judge)
  }

  mutating func commanded(
    _ command: KantineKoning.Control, at moment: Moment, _ judge: inout Judge
  ) { giveOut(&judge) }

  private mutating func giveOut(_ judge: inout Judge) {
    times += 1
    judge.expect(times == 1, "one device_id was given to \(times) enrollments")
  }
}

/// KK-04: after an update the app has the identifier that it had.
private struct KeptIdentifier: History {
  static let scope = Scope<KantineKoning>.person
  private var expected: HardwareID?

  mutating func noted(_ note: KantineKoning.Note, at moment: Moment, _ judge: inout Judge) {
    switch note {
    case .appUpdated(let identifier): expected = identifier
    case .reinstalled(let old, let new, _): expected = old == new ? old : nil
    case .identifierChanged: expected = nil
    case .foreground(_, let identifier):
      guard let before = expected else { return }
      expected = nil
      judge.expect(identifier == before, "'\(before)' became '\(identifier)' by an update")
    default: break
    }
  }
}
