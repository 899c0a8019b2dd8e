import DomainList
import Testing

@Suite struct `The domains' declarations` {
  @Test func `contradict nothing`() {
    #expect(Domains.flaws == [])
  }
}
