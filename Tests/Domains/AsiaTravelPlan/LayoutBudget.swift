import AsiaTravelPlanContract
import Contracts
import Testing

/// What goes through many hands is small: large contents are boxed, so that handing them on is counting one reference.
@Suite struct `AsiaTravelPlan's layout` {
  @Test func `keeps what goes from hand to hand within 32 bytes`() {
    #expect(MemoryLayout<AsiaTravelPlan.Request>.size <= 24)
    #expect(MemoryLayout<AsiaTravelPlan.Reply>.size <= 24)
    #expect(MemoryLayout<AsiaTravelPlan.Refusal>.size <= 24)
    #expect(MemoryLayout<Outcome<AsiaTravelPlan>>.size <= 32)
    #expect(MemoryLayout<AsiaTravelPlan.Credential>.size <= 24)
    #expect(MemoryLayout<Booking>.size == 8)
  }
}
