import Contracts
import MimiSupplyContract
import Testing
import Timekeeping

@testable import MimiSupplyJourneys

private let noon = Instant("2026-03-21T11:00:00Z")!

@Suite struct `The app's merge rules` {
  private static func server(_ type: RecordType, _ fields: Fields) -> CloudRecord {
    let stamp = Stamp(noon, by: "u", on: nil)
    return CloudRecord(
      name: "r", type: type, changeTag: "2", zone: Zone(), fields: fields, created: stamp,
      modified: stamp)
  }

  private static func merge(
    _ fields: FieldChanges, _ server: CloudRecord, at now: Instant = noon + .minutes(1),
    keepsOwn: Bool = false, off: Set<MimiSupply.Rule> = []
  ) -> FieldChanges {
    Merging(rules: Rules<MimiSupply.Rule>(off: off)).fields(
      of: RecordDraft(name: "r", changeTag: "1", fields: fields), against: server, at: now,
      keepsOwn: keepsOwn)
  }

  private static let order = server(
    "Order",
    [
      .status: .string("accepted"), .tipCents: .int64(300), .totalCents: .int64(2_500),
      .deliveryInstructions: .string("Hinten"),
    ])

  @Test func `MS-86: of an order a higher tip wins, and the total goes with it`() {
    #expect(
      Self.merge([.tipCents: .int64(500), .totalCents: .int64(9)], Self.order)
        == [.tipCents: .int64(500), .totalCents: .int64(2_700)])
    #expect(
      Self.merge([.tipCents: .int64(300), .totalCents: .int64(9)], Self.order) == [:])
    #expect(Self.merge([.tipCents: .int64(200)], Self.order) == [:])
  }

  @Test func `MS-86: instructions win unless they are empty`() {
    #expect(
      Self.merge([.deliveryInstructions: .string("Vorn")], Self.order)
        == [.deliveryInstructions: .string("Vorn")])
    #expect(Self.merge([.deliveryInstructions: .string("")], Self.order) == [:])
    #expect(Self.merge([.deliveryInstructions: nil], Self.order) == [:])
  }

  @Test func `MS-86: an order's status goes on, never back`() {
    #expect(
      Self.merge([.status: .string("preparing")], Self.order)
        == [.status: .string("preparing")])
    #expect(Self.merge([.status: .string("payment_confirmed")], Self.order) == [:])
    #expect(
      Self.merge([.status: .string("cancelled")], Self.order)
        == [.status: .string("cancelled")])
    #expect(Self.merge([.status: .string("ready")], Self.order) == [.status: .string("ready")])
  }

  @Test func `MS-87: delivered wins over cancelled whatever the times; the switch lets go of it`() {
    let delivered = Self.server("Order", [.status: .string("delivered")])
    let cancel: FieldChanges = [.status: .string("cancelled")]
    #expect(Self.merge(cancel, delivered, at: noon + .days(1)) == [:])
    #expect(Self.merge(cancel, delivered, at: noon - .days(1)) == [:])
    #expect(Self.merge(cancel, delivered, off: [.ms87]) == cancel)
  }

  @Test
  func `MS-86: of a profile phone and mail win unless they are empty, and the later activity`() {
    let profile = Self.server(
      "UserProfile",
      [
        .phoneNumber: .string("1"), .email: .string("a@b"), .fullName: .string("Ada"),
        .lastActiveAt: .timestamp(noon),
      ])
    #expect(
      Self.merge(
        [.phoneNumber: .string("2"), .email: .string(""), .fullName: .string("Eva")], profile)
        == [.phoneNumber: .string("2")])
    let later = FieldValue.timestamp(noon + .seconds(1))
    #expect(Self.merge([.lastActiveAt: later], profile) == [.lastActiveAt: later])
    #expect(Self.merge([.lastActiveAt: .timestamp(noon - .seconds(1))], profile) == [:])
  }

  @Test func `MS-86: of a position the later one wins, all its fields together`() {
    let place = Self.server("DriverLocation", [.timestamp: .timestamp(noon)])
    let later: FieldChanges = [
      .timestamp: .timestamp(noon + .seconds(1)), .latitude: .double(52),
    ]
    #expect(Self.merge(later, place) == later)
    #expect(Self.merge([.timestamp: .timestamp(noon), .latitude: .double(52)], place) == [:])
  }

  @Test func `MS-86: the server's stock stays, everything else goes by time or by its user`() {
    let product = Self.server("Product", [.stockQuantity: .int64(3)])
    #expect(Self.merge([.stockQuantity: .int64(5)], product) == [:])
    #expect(
      Self.merge([.priceCents: .int64(5)], product) == [.priceCents: .int64(5)])
    #expect(Self.merge([.priceCents: .int64(5)], product, at: noon - .seconds(2)) == [:])
    let partner = Self.server("Partner", [:])
    #expect(
      Self.merge([.isActive: .int64(0)], partner, keepsOwn: true) == [.isActive: .int64(0)])
    #expect(Self.merge([.isActive: .int64(0)], partner, keepsOwn: false) == [:])
  }

  @Test func `MS-86: switched off, the local copy overwrites`() {
    let low: FieldChanges = [.tipCents: .int64(1)]
    #expect(Self.merge(low, Self.order, off: [.ms86]) == low)
  }
}
