import MimiSupplyContract
import Testing
import Timekeeping

@testable import MimiSupplyTwin

@Suite struct `A record as a value` {
  private func record(_ fields: Fields = [.name: .string("Hof")]) -> CloudRecord {
    let stamp = Stamp(Instant(unixMilliseconds: 0), by: "u-1", on: nil)
    return CloudRecord(
      name: "p-1", type: "Partner", changeTag: "1", zone: Zone(), fields: fields, created: stamp,
      modified: stamp)
  }

  @Test func `a copy that changes leaves the original as it was`() {
    let original = record()
    var copy = original
    copy.fields[.name] = .string("Markt")
    copy.changeTag = "2"
    copy.modified.userRecordName = "u-2"
    #expect(original == record())
    #expect(copy.fields == [.name: .string("Markt")])
    #expect([copy.changeTag, copy.modified.userRecordName.text] == ["2", "u-2"])
    #expect(copy.created.userRecordName == "u-1")
    #expect(copy != original)
  }

  @Test func `records with equal contents are equal, shared or not`() {
    let one = record()
    let same = one
    #expect(one == same)
    #expect(one == record())
    #expect(one.hashValue == record().hashValue)
    #expect(one != record([:]))
  }

  @Test func `MS-114: the log loses its oldest entries, and each record keeps its number`() {
    var log = AuditLog()
    log.add(.loginAttempt, at: Instant(unixMilliseconds: 1))
    log.add(
      .modification, user: "ü-1", device: "d", recordType: "Order", recordName: "o-1",
      .write(.update), csn: 7,
      at: Instant(unixMilliseconds: 2))
    log.removeAll(before: Instant(unixMilliseconds: 2))
    #expect(log.records.map(\.name) == ["audit_2"])
    #expect(log.record("audit_2") == log.records[0] && log.record("audit_1") == nil)
    log.removeAll(before: Instant(unixMilliseconds: 3))
    #expect(log.records.isEmpty)
  }
}
