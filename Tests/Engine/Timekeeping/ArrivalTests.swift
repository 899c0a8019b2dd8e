import Testing
import Timekeeping

@Suite struct `Arrivals whose rate changes` {
  private let day = ArrivalRate([
    .init(at: .zero, perSecond: 0), .init(at: .minutes(10), perSecond: 6),
    .init(at: .minutes(30), perSecond: 6), .init(at: .minutes(30), perSecond: 20),
    .init(at: .minutes(35), perSecond: 20), .init(at: .minutes(35), perSecond: 2),
    .init(at: .minutes(60), perSecond: 0),
  ])
  private let start = Instant("2026-03-21T05:00:00Z")!

  private func arrivals(_ rate: ArrivalRate, seed: UInt64) -> [Instant] {
    Array(
      Arrivals(
        rate, from: start,
        drawing: RandomStream(seed: seed, owner: stableHash("arrivals"), purpose: 0)))
  }

  @Test func `so many are expected as the area under the rate`() {
    // 1,800 on the climb, 7,200 on the plain, 6,000 in the rush, 1,500 on the way down.
    #expect(day.total == 16_500)
    #expect(day.expected(by: .minutes(5)) == 450 && day.expected(by: .minutes(10)) == 1_800)
    #expect(day.expected(by: .minutes(32)) == 9_000 + 2_400 && day.expected(by: .zero) == 0)
    #expect(day.expected(by: .hours(2)) == 16_500 && day.lasts == .hours(1))
  }

  /// Counts of 60 windows in 200 schedules: means as expected, variances as large as means, whatever the rate does.
  @Test func `each window has a Poisson count with its own mean`() {
    let schedules = 200
    var sums = [Double](repeating: 0, count: 60)
    var squares = sums
    for seed in 0..<schedules {
      var counts = [Double](repeating: 0, count: 60)
      for arrival in arrivals(day, seed: UInt64(seed)) {
        counts[Int((arrival - start).seconds / 60)] += 1
      }
      for minute in 0..<60 {
        sums[minute] += counts[minute]
        squares[minute] += counts[minute] * counts[minute]
      }
    }
    let n = Double(schedules)
    var dispersion = 0.0
    for minute in 0..<60 {
      let expected =
        day.expected(by: .minutes(Int64(minute + 1))) - day.expected(by: .minutes(Int64(minute)))
      let mean = sums[minute] / n
      // Five standard errors.
      #expect(
        abs(mean - expected) < 5 * (expected / n).squareRoot() + 1e-9, "minute \(minute): \(mean)")
      dispersion += (squares[minute] / n - mean * mean) * n / (n - 1) / mean / 60
    }
    // The mean of sixty dispersions of two hundred counts has a standard error of √(2/199/60), 1.3 %.
    #expect(abs(dispersion - 1) < 0.05, "dispersion \(dispersion)")
  }

  @Test func `evenly spaced they come as soon as a whole one is to be expected`() {
    let even = Arrivals(evenly: .constant(4, lasting: .seconds(1)), from: start)
    #expect(even.map { $0 - start } == [0, 250, 500, 750].map { .milliseconds($0) })
    let climb = Array(Arrivals(evenly: .ramp(from: 0, to: 10, lasting: .seconds(10)), from: start))
    #expect(climb.count == 50)
    // The n-th of a climb from nothing, counted from 0, comes after √(2n) seconds at one more a second each second.
    let square = zip(climb, 0...).map { abs(($0 - start).seconds - (2 * Double($1)).squareRoot()) }
    #expect(square.allSatisfy { $0 < 1e-6 })
  }

  @Test func `a schedule comes in order, repeats itself and ends with its rate`() {
    let once = arrivals(day, seed: 7)
    #expect(once == arrivals(day, seed: 7) && once != arrivals(day, seed: 8))
    #expect(zip(once, once.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(once.allSatisfy { start <= $0 && $0 <= start + .hours(1) })
    #expect(arrivals(.constant(0, lasting: .hours(1)), seed: 1) == [])
  }

  @Test func `a higher rate moves every arrival forward`() {
    let slow = arrivals(.ramp(from: 1, to: 3, lasting: .minutes(10)), seed: 9)
    let fast = arrivals(.ramp(from: 2, to: 6, lasting: .minutes(10)), seed: 9)
    #expect(fast.count > slow.count)
    #expect(zip(slow, fast).allSatisfy { $0 > $1 })
  }

  /// A ramp from 0 to 2 in 2 s expects t²/2 by t: the moment of one expected arrival is √2 s.
  @Test func `a constant rate has exponential gaps, a ramp those of its root`() {
    var stream = RandomStream(seed: 3, owner: stableHash("arrivals"), purpose: 0)
    let gaps = (0..<5).map { _ in stream.exponential(mean: 1) }
    let times = arrivals(.ramp(from: 0, to: 200, lasting: .seconds(200)), seed: 3).prefix(5)
    for (place, time) in times.enumerated() {
      let expected = gaps[...place].reduce(0, +)
      #expect(abs((time - start).seconds - (2 * expected).squareRoot()) < 1e-8)
    }
  }

  @Test func `steps are one rate after the other`() {
    let steps = ArrivalRate.steps([1, 5, 0], each: .minutes(1))
    #expect(steps.total == 360)
    #expect(arrivals(steps, seed: 4).allSatisfy { $0 <= start + .minutes(2) })
    #expect(steps.description == "0s: 1/s, 1min: 1/s, 1min: 5/s, 2min: 5/s, 2min: 0/s, 3min: 0/s")
  }

  private static let wrong: [([(Int64, Double)], String)] = [
    ([(0, 1)], "a beginning and an end"), ([(1, 1), (2, 1)], "begins at 0s"),
    ([(0, 1), (2, 1), (1, 1)], "in the order of time"), ([(0, 1), (2, -1)], "not below 0"),
    ([(0, .infinity), (2, 1)], "finite"), ([(0, .nan), (2, 1)], "finite"),
  ]

  @Test(arguments: wrong.indices)
  func `what is no rate is named`(index: Int) throws {
    let (corners, words) = Self.wrong[index]
    let problem = ArrivalRate.problem(
      of: corners.map { .init(at: .seconds($0.0), perSecond: $0.1) })
    #expect(try #require(problem).contains(words))
  }
}
