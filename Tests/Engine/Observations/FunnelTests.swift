import Contracts
import Observations
import Testing
import Timekeeping

@Suite struct `How far people get` {
  @Test func `counts people and not requests, by what their names share`() throws {
    var recorder = FunnelRecorder(
      names: [
        "canteen/1/phone-0001", "canteen/1/club-2-phone-0002", "canteen/1/adversary-1-2", "7",
      ],
      operations: 70)
    for _ in 0..<5 {
      recorder.note(PersonID(0), operation: 69, isReplied: true, isRefused: false)
      recorder.note(PersonID(1), operation: 69, isReplied: false, isRefused: true)
    }
    recorder.note(PersonID(1), operation: 69, isReplied: false, isRefused: false)
    recorder.note(PersonID(2), operation: 0, isReplied: false, isRefused: true)
    let tally = recorder.tally()

    #expect(tally.rows.map(\.role) == ["phone", "adversary", "others"])
    #expect(tally.rows.map(\.persons) == [2, 1, 1])
    let phones = tally.rows[0].cells[69]
    #expect(phones.asked == 2 && phones.got == 1)
    #expect(phones.requests == 11 && phones.replied == 5 && phones.refused == 5)
    #expect(tally.rows[1].cells[0].asked == 1 && tally.rows[1].cells[0].got == 0)
  }

  @Test func `merging adds, whatever the order of regions and roles`() {
    func region(_ names: [String]) -> FunnelTally {
      var recorder = FunnelRecorder(names: names, operations: 2)
      for index in names.indices {
        recorder.note(PersonID(index), operation: 1, isReplied: true, isRefused: false)
      }
      return recorder.tally()
    }
    let (a, b) = (region(["phone-1", "guest-1"]), region(["guest-1", "guest-2", "phone-9"]))
    var (left, right) = (a, b)
    left.merge(b)
    right.merge(a)
    #expect(left.rows.sorted { $0.role < $1.role } == right.rows.sorted { $0.role < $1.role })
    #expect(left.rows.first { $0.role == "guest" }?.cells[1].asked == 3)
  }

  @Test func `a hundred roles share twelve rows, and nobody is lost`() {
    let letters = "abcdefghijklmnopqrstuvwxyz"
    let names = letters.flatMap { a in letters.prefix(4).map { "\(a)\($0)-1" } }
    let tally = FunnelRecorder(names: names, operations: 1).tally()
    #expect(tally.rows.count == 12)
    #expect(tally.rows.reduce(0) { $0 + $1.persons } == names.count)
  }
}

@Suite struct `Response times in slices` {
  @Test(arguments: [0.000_1, 0.003, 0.061, 0.25, 1.7, 60, 4_000])
  func `a quantile is right to an eighth`(seconds: Double) throws {
    var slices = SliceLatencies(slices: 3)
    for _ in 0..<9 { slices.record(.ended(Span(seconds: seconds)), slice: 1) }
    let found = try #require(slices.quantile(0.5, slice: 1))
    #expect(abs(found / seconds - 1) <= 0.125)
    #expect(slices.quantile(0.5, slice: 0) == nil)
  }

  @Test func `what lies outside its range counts at its ends`() throws {
    var slices = SliceLatencies(slices: 1)
    for span in [Span.zero, .days(400), .days(400)] { slices.record(.ended(span), slice: 0) }
    #expect(try #require(slices.quantile(0.1, slice: 0)) < 0.000_2)
    #expect(try #require(slices.quantile(0.6, slice: 0)) > 10_000)
  }

  @Test
  func
    `a slice gives no quantile that its requests do not tell, and none beyond what was answered`()
  {
    var slices = SliceLatencies(slices: 1)
    for _ in 0..<99 { slices.record(.ended(.seconds(1)), slice: 0) }
    #expect(slices.quantile(0.5, slice: 0) != nil && slices.quantile(0.99, slice: 0) == nil)
    slices.record(.ended(.seconds(1)), slice: 0)
    #expect(slices.quantile(0.99, slice: 0) != nil)
    for _ in 0..<2 { slices.record(.endless, slice: 0) }
    #expect(slices.quantile(0.5, slice: 0) != nil && slices.quantile(0.99, slice: 0) == nil)
  }

  @Test func `slices of two parts merge to those of the whole`() {
    var (whole, left, right) = (
      SliceLatencies(slices: 4), SliceLatencies(slices: 4), SliceLatencies(slices: 4)
    )
    for index in 0..<1_000 {
      let (span, slice) = (Span.microseconds(Int64(index * index)), index % 4)
      whole.record(.ended(span), slice: slice)
      if index % 3 == 0 {
        left.record(.ended(span), slice: slice)
      } else {
        right.record(.ended(span), slice: slice)
      }
    }
    left.merge(right)
    #expect(left == whole)
  }

  @Test func `compact slices answer, merge and pack as others do, and count on`() throws {
    var plain = SliceLatencies(slices: 5)
    for index in 0..<2_000 {
      plain.record(.ended(.microseconds(Int64(index * index))), slice: index % 3)
    }
    plain.record(.endless, slice: 4)
    func expectSame(_ a: SliceLatencies, _ b: SliceLatencies) {
      #expect(a == b && a.packed == b.packed)
      for slice in 0..<5 {
        #expect(a.classes(inSlice: slice) == b.classes(inSlice: slice))
        #expect(a.quantile(0.5, slice: slice) == b.quantile(0.5, slice: slice))
      }
    }
    var compact = plain
    compact.compact()
    expectSame(plain, compact)
    var read = SliceLatencies(slices: 5)
    try read.unpack(plain.packed)
    expectSame(plain, read)
    var (one, other) = (plain, compact)
    one.merge(compact)
    other.merge(plain)
    expectSame(one, other)
    compact.record(.endless, slice: 0)
    plain.record(.endless, slice: 0)
    expectSame(plain, compact)
    // More slices were written than this load has.
    var fewer = SliceLatencies(slices: 4)
    #expect(throws: PackingProblem.self) { try fewer.unpack(plain.packed) }
  }
}
