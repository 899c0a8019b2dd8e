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

  @Test func `gives out a person's next event while nothing else is due before it`() {
    var loop = EventLoop<String>(from: epoch)
    loop.schedule("first", at: epoch + .seconds(1), by: PersonID(1), number: 0)
    loop.schedule("second", at: epoch + .seconds(2), by: PersonID(1), number: 1)
    loop.schedule("timer", at: epoch + .seconds(2), from: .timers)
    loop.schedule("beyond", at: epoch + .seconds(9), by: PersonID(1), number: 2)
    loop.go(to: epoch + .seconds(9))
    #expect(loop.next(of: PersonID(0)) == nil && loop.now == epoch)
    #expect(loop.next(of: PersonID(1)) == "first" && loop.now == epoch + .seconds(1))
    #expect(loop.next(of: PersonID(1)) == nil && loop.next() == "timer")
    #expect(loop.next(of: PersonID(1)) == "second" && loop.now == epoch + .seconds(2))
    #expect(loop.next(of: PersonID(1)) == nil && loop.now == epoch + .seconds(2))
  }

  @Test func `jumps to an event that would be the next, and never past another or the horizon`() {
    var loop = EventLoop<String>(from: epoch)
    loop.schedule("timer", at: epoch + .seconds(5), from: .timers)
    loop.schedule("other", at: epoch + .seconds(4), by: PersonID(2), number: 7)
    loop.go(to: epoch + .seconds(9))
    #expect(!loop.jump(to: epoch + .seconds(5), by: PersonID(1), number: 0) && loop.now == epoch)
    #expect(!loop.jump(to: epoch + .seconds(4), by: PersonID(3), number: 0) && loop.now == epoch)
    let jumps = loop.jump(to: epoch + .seconds(4), by: PersonID(1), number: 0)
    #expect(jumps)
    #expect(loop.now == epoch + .seconds(4) && loop.next() == "other" && loop.next() == "timer")
    let jumpsBeyond = loop.jump(to: epoch + .seconds(9), by: PersonID(1), number: 0)
    #expect(!jumpsBeyond && loop.now == epoch + .seconds(5))
  }

  @Test func `gives out the next event where it is of the kind that is wanted`() {
    var loop = EventLoop<Int>(from: epoch)
    loop.schedule(1, at: epoch + .seconds(1), from: .control)
    loop.schedule(2, at: epoch + .seconds(2), from: .control)
    loop.go(to: epoch + .seconds(2))
    #expect(loop.next(if: { $0 == 2 }) == nil && loop.now == epoch)
    #expect(loop.next(if: { $0 == 1 }) == 1 && loop.now == epoch + .seconds(1))
    #expect(loop.next(if: { $0 == 2 }) == nil && loop.now == epoch + .seconds(1))
  }

  @Test func `keeps the order of a thousand events, and ends those that are left, each once`() {
    final class Counted {}
    var loop = EventLoop<(number: Int, Counted)>(from: epoch)
    var left: [() -> Counted?] = []
    var stream = RandomStream(seed: 7, owner: 1, purpose: 1)
    var due: [Instant] = []
    for number in 0..<1_000 {
      let (instant, event) = (epoch + .seconds(Int64(stream.pick(1..<500))), Counted())
      left.append { [weak event] in event }
      due.append(instant)
      loop.schedule((number, event), at: instant, from: .control)
    }
    loop.go(to: epoch + .seconds(250))
    var taken: [Int] = []
    while let event = loop.next() { taken.append(event.number) }
    let expected = due.indices.filter { due[$0] < epoch + .seconds(250) }
      .sorted { (due[$0], $0) < (due[$1], $1) }
    #expect(taken == expected && left.count { $0() == nil } == taken.count)
    loop = EventLoop(from: epoch)
    #expect(left.allSatisfy { $0() == nil })
  }

  @Test func `gives out what is left at the end, in order`() {
    var loop = EventLoop<Int>(from: epoch)
    for number in [3, 1, 2] {
      loop.schedule(number, at: epoch + .seconds(Int64(number)), from: .control)
    }
    #expect(loop.drain() == 1 && loop.drain() == 2 && loop.drain() == 3 && loop.drain() == nil)
  }
}
