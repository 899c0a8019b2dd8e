import Observations
import Testing
import Timekeeping

@Suite struct `Histograms of times` {
  @Test func `a rounding error costs no rank`() {
    for count in [7, 20, 50, 100, 200] {
      var histogram = LatencyHistogram()
      for place in 1...count { histogram.record(.microseconds(Int64(place))) }
      for percent in 0...100 {
        let rank = max(1, (percent * count + 99) / 100)
        #expect(histogram.quantile(Double(percent) / 100) == .microseconds(Int64(rank)))
      }
    }
  }

  @Test(arguments: [1, 1_023, 1_024, 1_025, 3_000])
  func `says the same of its samples, whether they are kept one by one or by bucket`(count: Int) {
    let once = Span.seconds(90)
    var (few, byBucket) = (LatencyHistogram(), LatencyHistogram())
    // Two of one time at once are kept by bucket, and so is what comes after them.
    byBucket.record(once, times: 2)
    for place in 1...count {
      let time = Span.microseconds(Int64(place * place % 100_003))
      few.record(time)
      byBucket.record(time)
    }
    var two = LatencyHistogram()
    two.record(once)
    two.record(once)
    var together = few
    together.merge(two)
    #expect(together == byBucket && together.count == UInt64(count) + 2)
    #expect(together.quantile(0.5) == byBucket.quantile(0.5))
    #expect(together.count(above: .milliseconds(50)) == byBucket.count(above: .milliseconds(50)))
    byBucket.remove(two)
    #expect(few == byBucket && few.minimum == byBucket.minimum && few.maximum == byBucket.maximum)
    few.remove(byBucket)
    #expect(few.count == 0 && few.quantile(0.5) == nil)
  }

  @Test func `the histogram of the whole is that of its parts, in any order`() {
    let times = (1...3_000).map { Span.microseconds(Int64($0 * $0 % 100_003)) }
    func histogram(of times: some Sequence<Span>) -> LatencyHistogram {
      var histogram = LatencyHistogram()
      for time in times { histogram.record(time) }
      return histogram
    }
    let whole = histogram(of: times)
    var forwards = histogram(of: times[..<1_000])
    forwards.merge(histogram(of: times[1_000...]))
    var backwards = histogram(of: times[1_000...].reversed())
    backwards.merge(histogram(of: times[..<1_000]))
    backwards.merge(LatencyHistogram())
    #expect(forwards == whole && backwards == whole && whole.count == 3_000)
  }

  @Test func `compact ones answer, merge and pack as others do, and count on`() throws {
    let seed = UInt64.random(in: 0...999_999)
    var stream = RandomStream(seed: seed, owner: 0, purpose: 0)
    for round in 0..<50 {
      let times = (0..<Int(stream.unit() * 300)).map { _ in
        Span.microseconds((1 << Int64(stream.unit() * 40)) + Int64(stream.unit() * 900))
      }
      // More than 32 bits hold.
      let often: UInt64 = round % 10 == 0 ? 1 << 33 : 1
      var plain = LatencyHistogram()
      for time in times { plain.record(time, times: often) }
      var compact = plain
      compact.compact()
      func expectSame(_ a: LatencyHistogram, _ b: LatencyHistogram) {
        #expect(a == b && a.count == b.count && a.packed == b.packed, "seed \(seed), \(round)")
        #expect(a.mean == b.mean && a.maximum == b.maximum, "seed \(seed), \(round)")
        for time in times.prefix(20) {
          #expect(a.count(above: time) == b.count(above: time), "seed \(seed), \(round)")
        }
        let ranks: [UInt64] = [1, a.count / 2, a.count]
        for rank in ranks where rank > 0 {
          #expect(a.value(ofRank: rank) == b.value(ofRank: rank), "seed \(seed), \(round)")
        }
      }
      expectSame(plain, compact)
      var read = LatencyHistogram()
      try read.unpack(plain.packed)
      expectSame(plain, read)
      var (one, other) = (plain, compact)
      one.merge(compact)
      other.merge(plain)
      expectSame(one, other)
      other.remove(compact)
      expectSame(plain, other)
      compact.record(.seconds(1))
      plain.record(.seconds(1))
      expectSame(plain, compact)
      var empty = LatencyHistogram()
      empty.merge(compact)
      expectSame(plain, empty)
    }
  }

  /// Both ends of an octave, and what lies between.
  private static func time(_ stream: inout RandomStream) -> Span {
    let edge = Int64(1) << Int64(stream.unit() * 22)
    return .microseconds(stream.pick([0, edge - 1, edge, edge + Int64(stream.unit() * 900)]))
  }

  @Test func `keep every sample in its bucket, however they count, merge, take out and compact`() {
    let seed = UInt64.random(in: 0...999_999)
    var stream = RandomStream(seed: seed, owner: 0, purpose: 0)
    for round in 0..<40 {
      var histograms = Array(repeating: LatencyHistogram(), count: 4)
      // What each bucket holds, by its highest value.
      var expected = Array(repeating: [Span: UInt64](), count: 4)
      for _ in 0..<30 {
        let (own, other) = (stream.pick([0, 1]), stream.pick([2, 3]))
        switch stream.pick(0..<6) {
        case 0, 1:
          for _ in 0..<stream.pick([1, 30, 700, 1_024]) {
            let (time, place) = (Self.time(&stream), stream.pick([own, other]))
            histograms[place].record(time)
            expected[place][Self.bucket(of: time), default: 0] += 1
          }
        case 2:
          let time = Self.time(&stream)
          histograms[other].record(time, times: 7)
          expected[other][Self.bucket(of: time), default: 0] += 7
        case 3:
          histograms[own].merge(histograms[other])
          expected[own].merge(expected[other]) { $0 + $1 }
        case 4:
          histograms[own].merge(histograms[other])
          histograms[own].remove(histograms[other])
        default: histograms[stream.pick([own, other])].compact()
        }
      }
      for (histogram, expected) in zip(histograms, expected) {
        let pairs = histogram.buckets.map { ($0.value, $0.count) }
        let buckets = Dictionary(pairs) { _, _ in 0 }
        #expect(buckets == expected, "seed \(seed), \(round)")
        #expect(histogram.count == expected.values.reduce(0, +), "seed \(seed), \(round)")
        let bound = Self.bucket(of: Self.time(&stream))
        let above = expected.reduce(0) { $0 + ($1.key > bound ? $1.value : 0) }
        #expect(histogram.count(above: bound) == above, "seed \(seed), \(round)")
      }
    }
  }

  private static func bucket(of time: Span) -> Span {
    var one = LatencyHistogram()
    one.record(time)
    return one.maximum!
  }

  @Test(
    arguments: [
      [2, 5, 1, 0, 1], [1, 5, 0], [2, 5, 1 << 49, 1, 1], [1, 1 << 40, 1], [1, 60_000, 1],
      [2, 5, 1, .max, 1],
    ] as [[UInt64]])
  func `are not read from buckets out of order, empty ones, and more than can be`(
    numbers: [UInt64]
  ) {
    // How many buckets, and of each the gap before it and its count.
    var packing = Packing()
    for var number in numbers { #expect(throws: Never.self) { try packing.pack(&number) } }
    var histogram = LatencyHistogram()
    #expect(throws: PackingProblem.self) { try histogram.unpack(packing.bytes) }
  }

  @Test func `are read from one writing only`() throws {
    var histogram = LatencyHistogram()
    try histogram.unpack([1, 5, 1])
    #expect(histogram.count == 1)
    #expect(throws: PackingProblem.self) { try histogram.unpack([1, 0x85, 0, 1]) }
  }
}
