import Contracts
import Testing
import Timekeeping

@testable import Simulation

@Suite struct `The loop of a region` {
  @Test func `jumps from event to event up to its horizon, and stands there`() {
    var loop = EventLoop<Int>(from: dawn)
    loop.schedule(1, at: dawn + .seconds(5), by: PersonID(0), number: 0)
    loop.schedule(2, at: dawn + .seconds(9), by: PersonID(0), number: 1)
    loop.go(to: dawn + .seconds(9))
    #expect(loop.next() == 1 && loop.now == dawn + .seconds(5))
    #expect(loop.next() == nil && loop.now == dawn + .seconds(9))
    loop.go(to: dawn + .seconds(20))
    #expect(loop.next() == 2 && loop.now == dawn + .seconds(9))
    #expect(loop.next() == nil && loop.now == dawn + .seconds(20))
  }

  @Test func `takes timers, control, environment and persons in this order at one instant`() {
    var loop = EventLoop<String>(from: dawn)
    loop.schedule("second person", at: dawn, by: PersonID(1), number: 0)
    loop.schedule("first person, later", at: dawn, by: PersonID(0), number: 1)
    loop.schedule("first person", at: dawn, by: PersonID(0), number: 0)
    loop.schedule("environment", at: dawn, from: .environment)
    loop.schedule("control", at: dawn, from: .control)
    loop.schedule("timer", at: dawn, from: .timers)
    loop.schedule("later timer", at: dawn, from: .timers)
    loop.go(to: dawn + .seconds(1))
    var order: [String] = []
    while let event = loop.next() { order.append(event) }
    #expect(
      order == [
        "timer", "later timer", "control", "environment", "first person", "first person, later",
        "second person",
      ])
  }

  @Test func `gives out what is left at the end, in order`() {
    var loop = EventLoop<Int>(from: dawn)
    for number in [3, 1, 2] {
      loop.schedule(number, at: dawn + .seconds(Int64(number)), from: .control)
    }
    #expect(loop.drain() == 1 && loop.drain() == 2 && loop.drain() == 3 && loop.drain() == nil)
  }
}
