import Contracts
import Testing
import Timekeeping

@testable import Simulation

@Suite struct `The loop of a region` {
  @Test func `jumps from event to event up to its horizon, and stands there`() {
    var loop = EventLoop<Int>(from: epoch)
    loop.schedule(1, at: epoch + .seconds(5), by: PersonID(0), number: 0)
    loop.schedule(2, at: epoch + .seconds(9), by: PersonID(0), number: 1)
    loop.go(to: epoch + .seconds(9))
    #expect(loop.next() == 1 && loop.now == epoch + .seconds(5))
    #expect(loop.next() == nil && loop.now == epoch + .seconds(9))
    loop.go(to: epoch + .seconds(20))
    #expect(loop.next() == 2 && loop.now == epoch + .seconds(9))
    #expect(loop.next() == nil && loop.now == epoch + .seconds(20))
  }

  @Test func `takes timers, control, environment and persons in this order at one instant`() {
    var loop = EventLoop<String>(from: epoch)
    loop.schedule("second person", at: epoch, by: PersonID(1), number: 0)
    loop.schedule("first person, later", at: epoch, by: PersonID(0), number: 1)
    loop.schedule("first person", at: epoch, by: PersonID(0), number: 0)
    loop.schedule("environment", at: epoch, from: .environment)
    loop.schedule("control", at: epoch, from: .control)
    loop.schedule("timer", at: epoch, from: .timers)
    loop.schedule("later timer", at: epoch, from: .timers)
    loop.go(to: epoch + .seconds(1))
    var order: [String] = []
    while let event = loop.next() { order.append(event) }
    #expect(
      order == [
        "timer", "later timer", "control", "environment", "first person", "first person, later",
        "second person",
      ])
  }

  @Test func `gives out what is left at the end, in order`() {
    var loop = EventLoop<Int>(from: epoch)
    for number in [3, 1, 2] {
      loop.schedule(number, at: epoch + .seconds(Int64(number)), from: .control)
    }
    #expect(loop.drain() == 1 && loop.drain() == 2 && loop.drain() == 3 && loop.drain() == nil)
  }
}
