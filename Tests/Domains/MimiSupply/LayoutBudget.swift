import Contracts
import MimiSupplyContract
import Testing

/// What goes through many hands is small: large contents are boxed, so that handing them on is counting one reference.
@Suite struct `MimiSupply's layout` {
  @Test func `keeps what goes from hand to hand within 32 bytes`() {
    #expect(MemoryLayout<MimiSupply.Request>.size <= 32)
    #expect(MemoryLayout<MimiSupply.Note>.size <= 32)
    #expect(MemoryLayout<MimiSupply.Reply>.size <= 24)
    #expect(MemoryLayout<MimiSupply.Refusal>.size <= 24)
    #expect(MemoryLayout<Outcome<MimiSupply>>.size <= 32)
    #expect(MemoryLayout<MimiSupply.Signal>.size <= 8)
    #expect(MemoryLayout<MimiSupply.Credential>.size <= 8)
  }
}
