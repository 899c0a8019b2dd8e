import Statistics
import Testing

@Suite struct `Networks and other queues` {
  /// - Source: R. Jain, "The Art of Computer Systems Performance Analysis", 1991, section 32: one processor with two disks; visits and
  ///   utilisations follow from the traffic equations by hand.
  @Test func `Jackson's traffic equations are solved`() {
    // From the processor half leave, 3 in 10 go to disk A and 2 in 10 to disk B; both come back.
    let network = Queueing.JacksonNetwork(
      stations: [
        .init(outsideRate: 2, serviceRate: 10), .init(outsideRate: 0, serviceRate: 4),
        .init(outsideRate: 0, serviceRate: 2),
      ], routing: [[0, 0.3, 0.2], [1, 0, 0], [1, 0, 0]])
    #expect(zip(network.visits, [2, 0.6, 0.4]).allSatisfy { relative($0, $1) < 1e-14 })
    #expect(zip(network.arrivalRates, [4, 1.2, 0.8]).allSatisfy { relative($0, $1) < 1e-14 })
    // ρ/(1 − ρ) with ρ = 0.4, 0.3, 0.4
    let present = [0.4 / 0.6, 0.3 / 0.7, 0.4 / 0.6]
    #expect(zip(network.meanPresent, present).allSatisfy { relative($0, $1) < 1e-13 })
    #expect(relative(network.meanResponse, present.reduce(0, +) / 2) < 1e-13)
    #expect(relative(network.probability(ofPresent: [0, 0, 0]), 0.6 * 0.7 * 0.6) < 1e-13)
    #expect(relative(network.probability(ofPresent: [2, 0, 1]), 0.6 * 0.16 * 0.7 * 0.24) < 1e-13)
  }

  @Test func `a network of one station is that station`() {
    let network = Queueing.JacksonNetwork(
      stations: [.init(outsideRate: 6, serviceRate: 3, servers: 3)], routing: [[0]])
    let clinic = Queueing.MMC(arrivalRate: 6, serviceRate: 3, servers: 3)
    #expect(relative(network.meanResponse, clinic.meanResponse) < 1e-14)
    #expect(network.station(0) == clinic)
  }

  /// - Source: SciPy 1.17, `scipy.linalg.expm` of the generator of 400 states.
  @Test(arguments: [
    (
      0.5, 1.0, 1.0, 0, 0.72625508305943, 0.22124761229399392, 7.436267732626347e-05,
      0.3347446663126575
    ),
    (
      0.9, 1, 10, 0, 0.22726613284293137, 0.19624677933204118, 0.06895390224039442,
      2.5306951475059725
    ),
    (0.9, 1, 50, 5, 0.12558051716192437, 0.11271917604522616, 0.07080540844273696, 5.8188644096007),
    (
      1.2, 1, 20, 2, 0.04895724503646441, 0.05653978502944318, 0.0740398305926242,
      7.7209621695811474
    ),
    (1, 1, 10, 0, 0.17728653406811473, 0.16853591184978595, 0.08336182563819484, 3.090620837304706),
  ])
  func `one server settles as the matrix exponential has it`(
    arrivals: Double, service: Double, time: Double, present: Int, none: Double, one: Double,
    five: Double, mean: Double
  ) {
    let queue = Queueing.TransientMM1(
      arrivalRate: arrivals, serviceRate: service, present: present)
    let found = queue.probabilities(at: time)
    #expect(relative(found[0], none) < 1e-10 && relative(found[1], one) < 1e-10)
    #expect(relative(found[5], five) < 1e-9)
    #expect(relative(queue.meanPresent(at: time), mean) < 1e-10)
    #expect(relative(found.reduce(0, +), 1) < 1e-12)
    #expect(queue.meanPresent(at: 0) == Double(present))
  }

  @Test func `states of several servers add up to one and to the mean`() {
    for queue in [
      Queueing.MMC(arrivalRate: 6, serviceRate: 3, servers: 3),
      Queueing.MMC(arrivalRate: 45, serviceRate: 1, servers: 50),
    ] {
      let states = (0..<3_000).map { queue.probability(ofPresent: $0) }
      #expect(relative(states.reduce(0, +), 1) < 1e-12)
      let mean = states.enumerated().reduce(0) { $0 + Double($1.offset) * $1.element }
      #expect(relative(mean, queue.meanPresent) < 1e-9)
    }
    // Gross and Harris, example 2.2: the eye clinic is empty one time in nine.
    let clinic = Queueing.MMC(arrivalRate: 6, serviceRate: 3, servers: 3)
    #expect(relative(clinic.probability(ofPresent: 0), 1.0 / 9) < 1e-13)
    #expect(relative(clinic.meanWaiting, 8.0 / 9) < 1e-13)
  }

  @Test func `a full waiting room loses as theory has it`() {
    // Load 1: all K + 1 states are alike.
    let even = Queueing.MM1K(arrivalRate: 2, serviceRate: 2, room: 4)
    #expect(relative(even.lossProbability, 0.2) < 1e-14 && relative(even.meanPresent, 2) < 1e-14)
    // Room for one is Erlang's B with one server.
    let one = Queueing.MM1K(arrivalRate: 3, serviceRate: 2, room: 1)
    #expect(relative(one.lossProbability, Queueing.erlangB(load: 1.5, servers: 1)) < 1e-14)
    let wide = Queueing.MM1K(arrivalRate: 0.5, serviceRate: 1, room: 200)
    #expect(relative(wide.meanResponse, 2) < 1e-12)
  }

  @Test func `a flooded waiting room is full but for the free places of a quiet one`() {
    let flooded = Queueing.MM1K(arrivalRate: 10, serviceRate: 1, room: 400)
    #expect(relative(flooded.lossProbability, 0.9) < 1e-14)
    #expect(relative(flooded.meanPresent, 400 - 1.0 / 9) < 1e-14)
    #expect(relative(flooded.meanResponse, 400 - 1.0 / 9) < 1e-13)
    #expect(relative(flooded.probability(ofPresent: 200), 9e-201) < 1e-12)
  }

  @Test func `a variance and a squared coefficient of variation say the same`() {
    let one = Queueing.MG1(arrivalRate: 0.5, meanService: 1.2, variation: 0.25)
    let same = Queueing.MG1(arrivalRate: 0.5, meanService: 1.2, serviceVariance: 0.36)
    #expect(relative(one.meanWait, same.meanWait) < 1e-14)
    // λ(σ² + s²)/(2(1 − ρ))
    #expect(relative(one.meanWait, 0.5 * (0.36 + 1.44) / 0.8) < 1e-14)
  }
}
