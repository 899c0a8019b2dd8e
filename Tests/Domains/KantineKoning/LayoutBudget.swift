import Contracts
import KantineKoningContract
import Testing

/// What goes through many hands is small: large contents are boxed, so that handing them on is counting one reference.
@Suite struct `Kantine Koning's layout` {
  @Test func `keeps what goes from hand to hand within 32 bytes`() {
    #expect(MemoryLayout<KantineKoning.Request>.size <= 32)
    #expect(MemoryLayout<KantineKoning.Note>.size <= 32)
    #expect(MemoryLayout<KantineKoning.Reply>.size <= 24)
    #expect(MemoryLayout<KantineKoning.Refusal>.size <= 24)
    #expect(MemoryLayout<Outcome<KantineKoning>>.size <= 32)
    #expect(MemoryLayout<KantineKoning.Signal>.size <= 8)
    #expect(MemoryLayout<KantineKoning.Credential>.size <= 17)
  }
}
