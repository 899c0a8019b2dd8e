import Testing
import validate

/// Fast versions of what `make validate` measures at length; the seeds are fixed, so the figures repeat.
@Suite struct `Error rates in short` {
  @Test(arguments: [0, 1, 2])
  func `intervals of means and of shares cover about as promised`(place: Int) {
    let traffic = Traffic.all[place]
    let outcome = CoverageExperiment(repetitions: 200).measure(traffic)
    print("\(traffic.name): \(outcome)")
    #expect(outcome.mean > 0.89 && outcome.mean < 0.995)
    #expect(outcome.share > 0.89 && outcome.share < 0.995)
  }

  @Test func `the gate seldom errs at its bound and hardly ever far from it`() {
    let rates = GateExperiment(repetitions: 200).measure(.exponential)
    for rate in rates {
      if rate.factor >= 1 { #expect(rate.pass <= 0.1, "\(rate)") }
      if rate.factor <= 1 { #expect(rate.fail <= 0.1, "\(rate)") }
    }
    #expect(rates[0].pass > 0.99 && rates[0].fail == 0)
    #expect(rates[rates.count - 1].fail > 0.99 && rates[rates.count - 1].pass == 0)
  }

  @Test(arguments: WeatherExperiment.Weather.allCases)
  func `the gate seldom errs at its bound where replications differ`(
    weather: WeatherExperiment.Weather
  ) {
    let experiment = WeatherExperiment(repetitions: 150)
    let rates = experiment.measure(weather, replications: 60, allowed: 0.05, factor: 1)
    print("\(weather.rawValue): \(rates)")
    // 7 %, and three standard errors of 150.
    #expect(rates.pass < 0.135 && rates.fail < 0.07)
  }

  @Test func `objectives at their bounds seldom make a run red`() {
    let experiment = WeatherExperiment(repetitions: 60)
    let found = experiment.red(objectives: 12, replications: 20, shared: 0)
    #expect(found.family <= 0.1 && found.alone >= found.family)
  }

  @Test func `a change of the size called visible is mostly found`() {
    var experiment = CompareExperiment(repetitions: 15)
    experiment.requests = 60
    #expect(experiment.visible(.virtual, size: 20).found > 0.7)
  }

  @Test func `comparisons are seldom falsely alarmed and find a slower operation`() {
    var experiment = CompareExperiment(repetitions: 20)
    experiment.requests = 100
    let same = experiment.measure(.virtual, slowdown: 0, size: 20)
    #expect(same.regression == 0 && same.improved == 0)
    let slower = experiment.measure(.virtual, slowdown: 0.15, size: 20)
    #expect(slower.regression > 0.8 && slower.wrong == 0)
  }

  @Test func `duels on a restless machine are seldom falsely alarmed and find a slower operation`()
  {
    let experiment = DuelExperiment(repetitions: 30)
    let same = experiment.measure(slowdown: 0, unrest: 0.05)
    #expect(same.regression == 0 && same.improved == 0)
    let slower = experiment.measure(slowdown: 0.1, unrest: 0.05)
    #expect(slower.regression > 0.8 && slower.wrong == 0)
  }

  @Test(arguments: LoadDuelExperiment.Noise.all.prefix(4))
  func `duels of servers are seldom falsely alarmed, whatever the weather`(
    noise: LoadDuelExperiment.Noise
  ) {
    let same = LoadDuelExperiment(repetitions: 40).measure(noise, slowdown: 0)
    #expect(same.regression + same.improved <= 0.05)
  }

  @Test func `duels of servers find 20 % more time where machines are as restless as most`() {
    for noise in LoadDuelExperiment.Noise.all.prefix(2) {
      let slower = LoadDuelExperiment(repetitions: 40).measure(noise, slowdown: 0.2)
      #expect(slower.regression >= 0.9 && slower.improved == 0, "\(noise.name)")
    }
  }

  @Test func `histories are seldom falsely alarmed and find a change`() {
    let experiment = HistoryExperiment(repetitions: 200)
    #expect(experiment.detected(.normal, runs: 25) <= 0.04)
    #expect(experiment.detected(.correlated06, runs: 50) <= 0.04)
    #expect(experiment.detected(.normal, runs: 50, shift: 2) > 0.85)
  }

  @Test func `histories of many figures show few that did not change`() {
    let found = HistoryExperiment(repetitions: 10).discoveries(
      figures: 30, changed: 10, runs: 50, together: true)
    #expect(found.falsely < 0.15 && found.found > 0.6, "\(found)")
  }

  @Test func `a warm-up that the run chooses takes most of the bias and costs little`() throws {
    let experiment = SettlingExperiment(repetitions: 40)
    let empty = experiment.measure(lasts: 1_000, isSettled: false)
    let nothing = try #require(empty[.nothing])
    let chosen = try #require(empty[.automatic])
    #expect(nothing.bias < -0.1 && chosen.bias.magnitude < nothing.bias.magnitude)
    #expect(chosen.covered > nothing.covered)
    let settled = try #require(experiment.measure(lasts: 2_000, isSettled: true)[.automatic])
    #expect(settled.covered > 0.85 && settled.left < 0.3, "\(settled)")
  }

  @Test func `batch means of a long run cover, those of a short one warn`() {
    let experiment = SettlingExperiment(repetitions: 60)
    let long = experiment.batchMeans(lasts: 64_000)
    #expect(long.covered > 0.85 && long.warned < 0.2, "\(long)")
    #expect(experiment.batchMeans(lasts: 1_000).warned > 0.3)
  }

  @Test func `figures of two programs agree where they come from one world, and are told apart`() {
    func days(_ refused: (Int) -> Int) -> [PeerExperiment.Day] {
      (0..<40).map { day in
        ["borrow": PeerExperiment.Count(replied: 100 + day % 7, refused: refused(day))]
      }
    }
    let same = PeerExperiment.compare(days { 10 + $0 % 5 }, with: days { 10 + ($0 + 2) % 5 })
    #expect(same.count == 18 && same.allSatisfy(\.agrees))
    let other = PeerExperiment.compare(days { 10 + $0 % 5 }, with: days { 12 + $0 % 5 })
    #expect(other.filter { !$0.agrees }.map(\.figure) == ["requests", "refused"])
    #expect(other.first { !$0.agrees }?.operation == "borrow")
  }
}
