import Statistics
import Testing

/// Closed forms held against other closed forms, and against the equations that they solve.
@Suite struct `Queues with room, priorities or failures` {
  @Test func `limited room lies between no queue and an endless one`() {
    // No place to wait: Erlang's B.
    let none = Queueing.MMCK(arrivalRate: 3, serviceRate: 1, servers: 4, room: 4)
    #expect(relative(none.lossProbability, Queueing.erlangB(load: 3, servers: 4)) < 1e-12)
    #expect(relative(none.meanResponse, 1) < 1e-12 && abs(none.meanWait) < 1e-12)
    // Room for all: Erlang's C.
    let wide = Queueing.MMCK(arrivalRate: 3, serviceRate: 1, servers: 4, room: 400)
    let endless = Queueing.MMC(arrivalRate: 3, serviceRate: 1, servers: 4)
    #expect(wide.lossProbability < 1e-40)
    #expect(relative(wide.meanWait, endless.meanWait) < 1e-9)
    // One server.
    let one = Queueing.MMCK(arrivalRate: 2, serviceRate: 1, servers: 1, room: 7)
    let known = Queueing.MM1K(arrivalRate: 2, serviceRate: 1, room: 7)
    #expect(relative(one.lossProbability, known.lossProbability) < 1e-12)
    #expect(relative(one.meanPresent, known.meanPresent) < 1e-12)
    // So many more come than go that powers of the ratio overflow.
    let flood = Queueing.MMCK(arrivalRate: 1e6, serviceRate: 1, servers: 2, room: 300)
    #expect(relative(flood.lossProbability, 1 - 2e-6) < 1e-9)
  }

  /// By hand: half a second of work in hand; 0.5/(1 − 0.2) and 0.5/((1 − 0.2)(1 − 0.5)).
  @Test func `the important wait less, and all together as long as ever`() {
    let queue = Queueing.MG1WithPriorities([
      .init(arrivalRate: 0.2, meanService: 1), .init(arrivalRate: 0.3, meanService: 1),
    ])
    #expect(relative(queue.meanWaits[0], 0.625) < 1e-12)
    #expect(relative(queue.meanWaits[1], 1.25) < 1e-12)
    let without = Queueing.MM1(arrivalRate: 0.5, serviceRate: 1).meanWait
    #expect(relative(0.4 * queue.meanWaits[0] + 0.6 * queue.meanWaits[1], without) < 1e-12)
    let constant = Queueing.MG1WithPriorities([
      .init(arrivalRate: 0.5, meanService: 1, variation: 0)
    ])
    let known = Queueing.MG1(arrivalRate: 0.5, meanService: 1, variation: 0)
    #expect(relative(constant.meanWaits[0], known.meanWait) < 1e-12)
  }

  @Test func `a server that hardly fails is one that does not`() {
    let sound = Queueing.MM1WithFailures(
      arrivalRate: 0.6, serviceRate: 1, failureRate: 0, repairRate: 1)
    #expect(relative(sound.meanResponse, 2.5) < 1e-12 && sound.availability == 1)
    // Repaired in no time, it was hardly away.
    let brief = Queueing.MM1WithFailures(
      arrivalRate: 0.6, serviceRate: 1, failureRate: 1e-3, repairRate: 1e6)
    #expect(relative(brief.meanResponse, 2.5) < 1e-6)
  }

  /// The balance equations of the states (present, working or not), solved by steps of the chain itself.
  @Test func `a failing server has the states that its balance equations have`() {
    let (arrive, serve, fail, repair) = (0.3, 1.0, 0.2, 0.5)
    let queue = Queueing.MM1WithFailures(
      arrivalRate: arrive, serviceRate: serve, failureRate: fail, repairRate: repair)
    let (most, rate) = (80, 2.0)
    var up = [Double](repeating: 0, count: most + 1)
    var down = up
    up[0] = 1
    for _ in 0..<6_000 {
      var (nextUp, nextDown) = (up, down)
      for n in 0...most {
        func move(_ share: Double, _ states: inout [Double], from: Int, to: Int) {
          states[from] -= share
          states[to] += share
        }
        if n < most {
          move(up[n] * arrive / rate, &nextUp, from: n, to: n + 1)
          move(down[n] * arrive / rate, &nextDown, from: n, to: n + 1)
        }
        if n > 0 { move(up[n] * serve / rate, &nextUp, from: n, to: n - 1) }
        let turned = up[n] * fail / rate - down[n] * repair / rate
        nextUp[n] -= turned
        nextDown[n] += turned
      }
      (up, down) = (nextUp, nextDown)
    }
    let present = (0...most).reduce(0.0) { $0 + Double($1) * (up[$1] + down[$1]) }
    #expect(relative(up.reduce(0, +), queue.availability) < 1e-9)
    #expect(relative(present, queue.meanPresent) < 1e-6)
  }
}
