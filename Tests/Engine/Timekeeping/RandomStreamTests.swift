import Testing
import Timekeeping

@Suite struct `Random streams` {
  /// - Source: Random123's `kat_vectors`, philox4x32 with ten rounds.
  @Test func `Philox gives the published known answers`() {
    let ones = UInt32.max
    #expect(
      Philox.block(counter: (0, 0, 0, 0), key: (0, 0))
        == (0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8))
    #expect(
      Philox.block(counter: (ones, ones, ones, ones), key: (ones, ones))
        == (0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd))
    #expect(
      Philox.block(
        counter: (0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344),
        key: (0xa409_3822, 0x299f_31d0))
        == (0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1))
  }

  @Test func `a stream is Philox over its name and its count`() {
    var stream = RandomStream(seed: 0, owner: 0, purpose: 0)
    #expect(stream.next() == 0xe169_c58d_6627_e8d5)
    #expect(stream.next() == 0x9b00_dbd8_bc57_ac4c)
    #expect(stream.drawn == 2)
  }

  /// - Source: the first outputs of SplitMix64 from seed 0, as its authors' reference program prints them.
  @Test func `the avalanche is SplitMix64's`() {
    #expect(avalanche(0) == 0xe220_a839_7b1d_cdaf)
    #expect(avalanche(0x9e37_79b9_7f4a_7c15) == 0x6e78_9e6a_a1b9_65f4)
  }

  @Test func `chances of 0 and 1 are exact`() {
    var stream = RandomStream(seed: 1, owner: 2, purpose: 3)
    for _ in 0..<1_000 {
      let (never, always) = (stream.chance(0), stream.chance(1))
      #expect(!never && always)
    }
  }

  @Test func `words of neighbouring names do not resemble one another`() {
    // Of 64 bits, 32 differ on average between unrelated words; the mean of 1,000 pairs has a standard error of 0.13.
    for other in [
      RandomStream(seed: 2, owner: 1, purpose: 1), RandomStream(seed: 1, owner: 2, purpose: 1),
      RandomStream(seed: 1, owner: 1, purpose: 2),
      RandomStream(seed: 1, owner: 1, purpose: 1, drawn: 1),
    ] {
      var a = RandomStream(seed: 1, owner: 1, purpose: 1)
      var b = other
      let differing = (0..<1_000).reduce(0) { sum, _ in
        sum + (a.next() ^ b.next()).nonzeroBitCount
      }
      #expect(abs(Double(differing) / 1_000 - 32) < 0.6)
    }
  }
}
