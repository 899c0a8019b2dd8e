import CGSL
import Statistics
import Testing

@Suite struct `Queueing theory` {
  /// - Source: Erlang B tables: the load in erlangs that loses 1 % on so many trunks.
  @Test(arguments: [(1, 0.0101), (5, 1.361), (10, 4.461), (20, 12.03), (50, 37.90), (100, 84.06)])
  func `Erlang's B agrees with the printed tables`(servers: Int, load: Double) {
    #expect(relative(Queueing.erlangB(load: load, servers: servers), 0.01) < 0.006)
  }

  @Test(arguments: [(1, 0.5), (3, 2), (10, 8), (100, 95), (1_000, 990)])
  func `Erlang's C agrees with GSL's Poisson distribution`(servers: Int, load: Double) {
    let queue = Queueing.MMC(arrivalRate: load, serviceRate: 1, servers: servers)
    let all = gsl_ran_poisson_pdf(UInt32(servers), load)
    let fewer = gsl_cdf_poisson_P(UInt32(servers - 1), load)
    let expected = all / (all + (1 - load / Double(servers)) * fewer)
    #expect(relative(queue.waitProbability, expected) < 1e-9)
  }

  /// - Source: Gross and Harris, example 2.1 (one server) and example 2.2 (an eye clinic with three).
  @Test func `textbook examples come out as printed`() {
    let salon = Queueing.MM1(arrivalRate: 5, serviceRate: 6)
    #expect(abs(salon.utilisation - 5.0 / 6) < 1e-15 && abs(salon.meanPresent - 5) < 1e-12)
    #expect(abs(salon.meanResponse - 1) < 1e-12 && abs(salon.meanWait - 5.0 / 6) < 1e-12)
    let clinic = Queueing.MMC(arrivalRate: 6, serviceRate: 3, servers: 3)
    #expect(abs(clinic.waitProbability - 4.0 / 9) < 1e-12)
    #expect(abs(clinic.meanWait - 4.0 / 27) < 1e-12)
    #expect(abs(clinic.meanResponse - 13.0 / 27) < 1e-12)
  }

  @Test func `one server of many is one server`() {
    let single = Queueing.MM1(arrivalRate: 0.8, serviceRate: 1)
    let many = Queueing.MMC(arrivalRate: 0.8, serviceRate: 1, servers: 1)
    #expect(relative(many.waitProbability, 0.8) < 1e-14)
    #expect(relative(many.meanWait, single.meanWait) < 1e-14)
    for p in [0.1, 0.5, 0.9, 0.99, 0.999] {
      #expect(abs(many.waitQuantile(p) - single.waitQuantile(p)) < 1e-12)
      #expect(relative(many.responseLonger(than: single.responseQuantile(p)), 1 - p) < 1e-9)
    }
    #expect(single.waitQuantile(0.1) == 0)
    // ln 100 / (1 − 0.8)
    #expect(relative(single.responseQuantile(0.99), 23.02585092994046) < 1e-13)
  }

  @Test func `the mean response of several servers is the area under its tail`() {
    for queue in [
      Queueing.MMC(arrivalRate: 6, serviceRate: 3, servers: 3),  // waiting and service decay alike
      Queueing.MMC(arrivalRate: 2.5, serviceRate: 1, servers: 3),
      Queueing.MMC(arrivalRate: 1, serviceRate: 1, servers: 8),
    ] {
      let step = 0.001
      let area = (0..<60_000).reduce(0.0) {
        $0 + step * queue.responseLonger(than: (Double($1) + 0.5) * step)
      }
      #expect(relative(area, queue.meanResponse) < 1e-6)
    }
  }

  @Test func `servers that are hardly ever all busy have the states of a Poisson distribution`() {
    for servers in [200, 500] {
      let queue = Queueing.MMC(arrivalRate: 1, serviceRate: 1, servers: servers)
      #expect(relative(queue.probability(ofPresent: 0), 0.36787944117144233) < 1e-12)
      #expect(relative(queue.probability(ofPresent: 3), 0.36787944117144233 / 6) < 1e-12)
      #expect(queue.probability(ofPresent: servers + 5) >= 0)
    }
  }

  /// - Source: the closed form in 40 digits (mpmath 1.3).
  @Test func `long waits before many servers have a probability`() {
    let queue = Queueing.MMC(arrivalRate: 199.999, serviceRate: 1, servers: 200)
    #expect(relative(queue.responseLonger(than: 800), 0.4497396167639211) < 1e-8)
    #expect(queue.responseLonger(than: 0) == 1)
  }

  @Test func `nobody is sure to be served in time`() {
    let single = Queueing.MM1(arrivalRate: 1, serviceRate: 2)
    #expect(single.responseQuantile(1) == .infinity && single.waitQuantile(1) == .infinity)
    let many = Queueing.MMC(arrivalRate: 1, serviceRate: 2, servers: 3)
    #expect(many.waitQuantile(1) == .infinity && many.waitQuantile(0) == 0)
    #expect(single.probability(ofPresent: 3_000_000_000) == 0)
  }

  @Test func `without load nobody is blocked and nobody waits`() {
    #expect(Queueing.erlangB(load: 0, servers: 0) == 1)
    #expect(Queueing.erlangB(load: 0, servers: 5) == 0)
    #expect(Queueing.erlangC(load: 0, servers: 5) == 0)
  }

  @Test func `a general service time spans constant to exponential`() {
    let exponential = Queueing.MG1(arrivalRate: 0.7, meanService: 1, variation: 1)
    let constant = Queueing.MG1(arrivalRate: 0.7, meanService: 1, variation: 0)
    let single = Queueing.MM1(arrivalRate: 0.7, serviceRate: 1)
    #expect(relative(exponential.meanWait, single.meanWait) < 1e-14)
    #expect(relative(exponential.meanResponse, single.meanResponse) < 1e-14)
    #expect(relative(constant.meanWait * 2, single.meanWait) < 1e-14)
    #expect(constant.utilisation == 0.7)
  }
}
