import CGSL

extension Queueing {
  /// An open network of stations with exponential service: whoever leaves one goes to another or leaves the network, by fixed
  /// probabilities. In its steady state the stations behave as if they were independent M/M/c queues.
  ///
  /// - Source: J. R. Jackson, "Networks of waiting lines", Operations Research 5 (1957), 518–521.
  public struct JacksonNetwork: Hashable, Sendable {
    public struct Station: Hashable, Sendable {
      /// Arrivals from outside, Poisson.
      public let outsideRate: Double
      /// Of one server.
      public let serviceRate: Double
      public let servers: Int

      public init(outsideRate: Double, serviceRate: Double, servers: Int = 1) {
        precondition(outsideRate >= 0, "a rate is not negative")
        precondition(serviceRate > 0 && servers >= 1, "nobody serves")
        self.outsideRate = outsideRate
        self.serviceRate = serviceRate
        self.servers = servers
      }
    }

    public let stations: [Station]
    /// All arrivals at each station, from outside and from the others: what the traffic equations have.
    public let arrivalRates: [Double]

    /// - Parameter routing: Row by row, where those who leave a station go; what is missing to 1 leaves the network.
    /// - Precondition: Everybody leaves at last, and no station gets more than it can serve.
    public init(stations: [Station], routing: [[Double]]) {
      precondition(!stations.isEmpty && routing.count == stations.count, "a row for each station")
      for row in routing {
        precondition(row.count == stations.count, "a column for each station")
        precondition(row.allSatisfy { $0 >= 0 }, "a probability is not negative")
        precondition(row.reduce(0, +) <= 1 + 1e-12, "probabilities add up to 1 at most")
      }
      self.stations = stations
      arrivalRates = Self.traffic(stations.map(\.outsideRate), routing)
      for (rate, station) in zip(arrivalRates, stations) {
        precondition(rate.isFinite, "nobody ever leaves")
        precondition(rate < station.serviceRate * Double(station.servers), "a queue grows for ever")
      }
    }

    /// Solves λ = γ + λR.
    private static func traffic(_ outside: [Double], _ routing: [[Double]]) -> [Double] {
      let n = outside.count
      return GSL.compute {
        guard let matrix = gsl_matrix_alloc(n, n), let right = gsl_vector_alloc(n),
          let solution = gsl_vector_alloc(n), let order = gsl_permutation_alloc(n)
        else { preconditionFailure("no memory for \(n) stations") }
        defer {
          gsl_matrix_free(matrix)
          gsl_vector_free(right)
          gsl_vector_free(solution)
          gsl_permutation_free(order)
        }
        for i in 0..<n {
          gsl_vector_set(right, i, outside[i])
          for j in 0..<n { gsl_matrix_set(matrix, i, j, (i == j ? 1 : 0) - routing[j][i]) }
        }
        var sign: Int32 = 0
        gsl_linalg_LU_decomp(matrix, order, &sign)
        guard gsl_linalg_LU_solve(matrix, order, right, solution) == 0 else {
          return Array(repeating: .nan, count: n)
        }
        return (0..<n).map { gsl_vector_get(solution, $0) }
      }
    }

    /// A station by itself; `nil` where nobody ever comes.
    public func station(_ index: Int) -> MMC? {
      let (rate, station) = (arrivalRates[index], stations[index])
      guard rate > 0 else { return nil }
      return MMC(arrivalRate: rate, serviceRate: station.serviceRate, servers: station.servers)
    }

    /// Mean number present at each station.
    public var meanPresent: [Double] {
      stations.indices.map { station($0)?.meanPresent ?? 0 }
    }

    /// Arrivals from outside at all stations.
    public var throughput: Double { stations.reduce(0) { $0 + $1.outsideRate } }

    /// Mean time from entering the network to leaving it, by Little's law.
    public var meanResponse: Double { meanPresent.reduce(0, +) / throughput }

    /// Mean number of times that somebody comes to each station.
    public var visits: [Double] { arrivalRates.map { $0 / throughput } }

    /// The probability that just so many are present at each station: a product.
    public func probability(ofPresent counts: [Int]) -> Double {
      precondition(counts.count == stations.count, "a count for each station")
      return counts.indices.reduce(1.0) { product, index in
        guard let station = station(index) else { return counts[index] == 0 ? product : 0 }
        return product * station.probability(ofPresent: counts[index])
      }
    }
  }

  /// One server as it settles: how many are present so long after it began with some.
  ///
  /// By uniformisation: the chain makes a step at the events of a Poisson process of rate λ + μ, so that its state is a mixture of
  /// its states after 0, 1, 2 … steps. Fewer may be served than arrive.
  ///
  /// - Source: W. K. Grassmann, "Transient solutions in Markovian queueing systems", Computers & Operations Research 4 (1977), 47–53.
  public struct TransientMM1: Hashable, Sendable {
    public let arrivalRate: Double
    public let serviceRate: Double
    /// Present at time 0.
    public let present: Int

    public init(arrivalRate: Double, serviceRate: Double, present: Int = 0) {
      precondition(arrivalRate > 0 && serviceRate > 0, "nobody arrives or nobody serves")
      precondition(present >= 0, "people are counted")
      self.arrivalRate = arrivalRate
      self.serviceRate = serviceRate
      self.present = present
    }

    /// The probabilities that 0, 1, 2 … are present at a time, as far as they are above 1e-15 together.
    ///
    /// - Complexity: O(s²) with s = (λ + μ)t steps.
    public func probabilities(at time: Double) -> [Double] {
      precondition(time >= 0, "time begins at 0")
      let rate = arrivalRate + serviceRate
      let mean = rate * time
      let (up, down) = (arrivalRate / rate, serviceRate / rate)
      let steps = mean == 0 ? 0 : Int(mean + 10 * mean.squareRoot()) + 40
      var state = [Double](repeating: 0, count: present + steps + 2)
      state[present] = 1
      var mixed = state.map { _ in 0.0 }
      for step in 0...steps {
        let isNow = step == 0 && mean == 0
        let weight = isNow ? 1 : GSL.compute { gsl_ran_poisson_pdf(UInt32(step), mean) }
        var next = state.map { _ in 0.0 }
        for n in 0...(present + step) {
          mixed[n] += weight * state[n]
          next[n + 1] += up * state[n]
          next[max(0, n - 1)] += down * state[n]
        }
        state = next
      }
      return mixed
    }

    /// Mean number present at a time.
    public func meanPresent(at time: Double) -> Double {
      probabilities(at: time).enumerated().reduce(0) { $0 + Double($1.offset) * $1.element }
    }
  }

  /// One server with room for so many, waiting and served together; who finds it full goes away.
  public struct MM1K: Hashable, Sendable {
    public let arrivalRate: Double
    public let serviceRate: Double
    public let room: Int

    public init(arrivalRate: Double, serviceRate: Double, room: Int) {
      precondition(arrivalRate > 0 && serviceRate > 0 && room >= 1, "nobody comes, stays or serves")
      self.arrivalRate = arrivalRate
      self.serviceRate = serviceRate
      self.room = room
    }

    /// The probability that just so many are present.
    public func probability(ofPresent count: Int) -> Double {
      guard (0...room).contains(count) else { return 0 }
      return GSL.power(ratio, isFilling ? room - count : count) / weights.sum
    }

    /// The share of arrivals that go away.
    public var lossProbability: Double { probability(ofPresent: room) }

    /// Mean number present.
    public var meanPresent: Double {
      let mean = weights.moment / weights.sum
      return isFilling ? Double(room) - mean : mean
    }

    /// More arrive than are served: then the free places behave as the present ones do otherwise, and no power overflows.
    private var isFilling: Bool { arrivalRate > serviceRate }

    /// From one state to the next in the direction in which they get rarer.
    private var ratio: Double {
      isFilling ? serviceRate / arrivalRate : arrivalRate / serviceRate
    }

    /// The sum of the powers of the ratio, and the sum of them times their exponents.
    private var weights: (sum: Double, moment: Double) {
      var (term, sum, moment) = (1.0, 0.0, 0.0)
      for n in 0...room {
        sum += term
        moment += Double(n) * term
        term *= ratio
      }
      return (sum, moment)
    }

    /// Mean time from arrival to departure of those who stay.
    public var meanResponse: Double { meanPresent / (arrivalRate * (1 - lossProbability)) }
  }
}
