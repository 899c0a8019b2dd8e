import CGSL

/// Closed forms of queueing theory, against which the kernel is validated. Rates and times share one unit of time.
///
/// - Source: L. Kleinrock, "Queueing Systems", volume 1, 1975, chapters 3 and 5;
///   D. Gross, C. M. Harris, "Fundamentals of Queueing Theory", 3rd edition 1998, chapters 2 and 5.
public enum Queueing {
  /// Poisson arrivals, exponential service, one server, first come first served.
  public struct MM1: Hashable, Sendable {
    public let arrivalRate: Double
    public let serviceRate: Double

    /// - Precondition: Fewer arrive than can be served.
    public init(arrivalRate: Double, serviceRate: Double) {
      precondition(arrivalRate > 0, "nobody arrives")
      precondition(arrivalRate < serviceRate, "the queue grows for ever")
      self.arrivalRate = arrivalRate
      self.serviceRate = serviceRate
    }

    /// Share of time in which the server is busy.
    public var utilisation: Double { arrivalRate / serviceRate }
    /// Mean time in the queue, without service.
    public var meanWait: Double { utilisation / (serviceRate - arrivalRate) }
    /// Mean time from arrival to departure.
    public var meanResponse: Double { 1 / (serviceRate - arrivalRate) }
    /// Mean number present, waiting or served.
    public var meanPresent: Double { arrivalRate * meanResponse }
    /// Mean number waiting.
    public var meanWaiting: Double { arrivalRate * meanWait }

    /// The probability that just so many are present, waiting or served.
    public func probability(ofPresent count: Int) -> Double {
      count < 0 ? 0 : (1 - utilisation) * GSL.power(utilisation, count)
    }

    /// The time within which a share p of all are served: response times are exponential.
    public func responseQuantile(_ p: Double) -> Double { -GSL.log1p(-p) * meanResponse }

    /// The time within which a share p of all begin to be served; 0 for those who never wait.
    public func waitQuantile(_ p: Double) -> Double {
      max(0, GSL.log(utilisation) - GSL.log1p(-p)) * meanResponse
    }
  }

  /// Poisson arrivals, exponential service, several servers behind one queue, first come first served.
  public struct MMC: Hashable, Sendable {
    public let arrivalRate: Double
    public let serviceRate: Double
    public let servers: Int

    /// - Parameter serviceRate: Of one server.
    /// - Precondition: Fewer arrive than all servers together can serve.
    public init(arrivalRate: Double, serviceRate: Double, servers: Int) {
      precondition(arrivalRate > 0, "nobody arrives")
      precondition(servers >= 1, "nobody serves")
      precondition(arrivalRate < serviceRate * Double(servers), "the queue grows for ever")
      self.arrivalRate = arrivalRate
      self.serviceRate = serviceRate
      self.servers = servers
    }

    /// Mean number of busy servers, in erlangs.
    public var offeredLoad: Double { arrivalRate / serviceRate }
    /// Share of time in which a server is busy.
    public var utilisation: Double { offeredLoad / Double(servers) }
    /// Probability of having to wait: Erlang's C.
    public var waitProbability: Double {
      Queueing.erlangC(load: offeredLoad, servers: servers)
    }
    /// Mean time in the queue, of all, without service.
    public var meanWait: Double { waitProbability / spareRate }
    /// Mean time from arrival to departure.
    public var meanResponse: Double { meanWait + 1 / serviceRate }
    /// Mean number waiting.
    public var meanWaiting: Double { arrivalRate * meanWait }
    /// Mean number present, waiting or served.
    public var meanPresent: Double { arrivalRate * meanResponse }

    /// The probability that just so many are present, waiting or served.
    public func probability(ofPresent count: Int) -> Double {
      guard count >= 0 else { return 0 }
      if count >= servers {
        return waitProbability * (1 - utilisation) * GSL.power(utilisation, count - servers)
      }
      // Up to all servers the states weigh as those of a Poisson distribution; beyond, each weighs less by a factor.
      return GSL.compute {
        let full = gsl_ran_poisson_pdf(UInt32(servers), offeredLoad) / (1 - utilisation)
        let fewer = gsl_cdf_poisson_P(UInt32(servers - 1), offeredLoad)
        return gsl_ran_poisson_pdf(UInt32(count), offeredLoad) / (fewer + full)
      }
    }

    /// The time within which a share p of all begin to be served; 0 for those who never wait.
    public func waitQuantile(_ p: Double) -> Double {
      max(0, GSL.log(waitProbability) - GSL.log1p(-p)) / spareRate
    }

    /// The share of all whose response takes longer than a time.
    public func responseLonger(than time: Double) -> Double {
      // By how much faster waiting decays than service, in units of the service rate; negative where it is slower.
      let spare = Double(servers) - 1 - offeredLoad
      let served = serviceRate * time
      let slower = served * min(1, 1 + spare)
      // (1 − e^(−|spare|·served)) / |spare|, and its limit where waiting and service decay alike.
      let mixed =
        spare == 0 ? served : -GSL.expm1(-spare.magnitude * served) / spare.magnitude
      return GSL.exp(-served) + waitProbability * GSL.exp(-slower) * mixed
    }

    private var spareRate: Double { Double(servers) * serviceRate - arrivalRate }
  }

  /// Poisson arrivals, service times of any distribution, one server, first come first served.
  public struct MG1: Hashable, Sendable {
    public let arrivalRate: Double
    public let meanService: Double
    /// Squared coefficient of variation of the service time: variance over squared mean; 0 constant, 1 exponential.
    public let variation: Double

    /// - Precondition: Fewer arrive than can be served.
    public init(arrivalRate: Double, meanService: Double, variation: Double) {
      precondition(arrivalRate > 0 && meanService > 0, "nobody arrives or nothing takes time")
      precondition(variation >= 0, "a variance cannot be negative")
      precondition(arrivalRate * meanService < 1, "the queue grows for ever")
      self.arrivalRate = arrivalRate
      self.meanService = meanService
      self.variation = variation
    }

    /// - Parameter serviceVariance: Of the service time.
    public init(arrivalRate: Double, meanService: Double, serviceVariance: Double) {
      self.init(
        arrivalRate: arrivalRate, meanService: meanService,
        variation: serviceVariance / (meanService * meanService))
    }

    /// Share of time in which the server is busy.
    public var utilisation: Double { arrivalRate * meanService }
    /// Mean time in the queue: the formula of Pollaczek and Khinchine.
    public var meanWait: Double {
      utilisation * meanService * (1 + variation) / (2 * (1 - utilisation))
    }
    /// Mean time from arrival to departure.
    public var meanResponse: Double { meanWait + meanService }
    /// Mean number waiting.
    public var meanWaiting: Double { arrivalRate * meanWait }
    /// Mean number present, waiting or served.
    public var meanPresent: Double { arrivalRate * meanResponse }
  }

  /// The probability of having to wait where nobody goes away: Erlang's C.
  public static func erlangC(load: Double, servers: Int) -> Double {
    precondition(load >= 0 && load < Double(servers), "the queue grows for ever")
    let blocked = erlangB(load: load, servers: servers)
    return blocked / (1 - load / Double(servers) * (1 - blocked))
  }

  /// The probability that all servers are busy where nobody waits: Erlang's B, by his recurrence.
  public static func erlangB(load: Double, servers: Int) -> Double {
    precondition(load >= 0 && servers >= 0, "a load is not negative and servers are counted")
    return (0..<servers).reduce(1.0) { blocked, server in
      load * blocked / (Double(server + 1) + load * blocked)
    }
  }
}
