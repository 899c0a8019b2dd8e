/// Queues with limited room, with an order of importance, and with servers that fail.
extension Queueing {
  /// Several servers with room for so many, waiting and served together; who finds it full goes away.
  ///
  /// - Source: D. Gross, C. M. Harris, "Fundamentals of Queueing Theory", 3rd edition 1998, section 2.4.
  public struct MMCK: Hashable, Sendable {
    public let arrivalRate: Double
    /// Of one server.
    public let serviceRate: Double
    public let servers: Int
    public let room: Int

    public init(arrivalRate: Double, serviceRate: Double, servers: Int, room: Int) {
      precondition(arrivalRate > 0 && serviceRate > 0, "nobody comes or nobody is served")
      precondition(servers >= 1 && room >= servers, "a place for each server")
      self.arrivalRate = arrivalRate
      self.serviceRate = serviceRate
      self.servers = servers
      self.room = room
    }

    /// The probabilities that 0, 1 … `room` are present. Scaled on the way, so that nothing overflows.
    public var probabilities: [Double] {
      var weights = [1.0]
      for present in 1...room {
        let rate = serviceRate * Double(min(present, servers))
        weights.append(weights[present - 1] * arrivalRate / rate)
        if weights[present] > 1e200 { weights = weights.map { $0 / 1e200 } }
      }
      let sum = weights.reduce(0, +)
      return weights.map { $0 / sum }
    }

    /// The share of arrivals that go away.
    public var lossProbability: Double { probabilities[room] }

    /// Mean number present.
    public var meanPresent: Double {
      probabilities.enumerated().reduce(0) { $0 + Double($1.offset) * $1.element }
    }

    /// Mean time from arrival to departure of those who stay, by Little's law.
    public var meanResponse: Double { meanPresent / (arrivalRate * (1 - lossProbability)) }

    /// Mean time in the queue of those who stay.
    public var meanWait: Double { meanResponse - 1 / serviceRate }
  }

  /// One server whose next customer is the first of the most important class that waits; nobody is interrupted.
  ///
  /// - Source: A. Cobham, "Priority assignment in waiting line problems", Operations Research 2 (1954), 70–76.
  public struct MG1WithPriorities: Hashable, Sendable {
    public struct Class: Hashable, Sendable {
      public let arrivalRate: Double
      public let meanService: Double
      /// Squared coefficient of variation of the service time: 0 constant, 1 exponential.
      public let variation: Double

      public init(arrivalRate: Double, meanService: Double, variation: Double = 1) {
        precondition(arrivalRate > 0, "nobody arrives")
        precondition(meanService >= 0 && variation >= 0, "service takes no time or some")
        self.arrivalRate = arrivalRate
        self.meanService = meanService
        self.variation = variation
      }
    }

    /// The most important first.
    public let classes: [Class]

    public init(_ classes: [Class]) {
      precondition(
        classes.reduce(0) { $0 + $1.arrivalRate * $1.meanService } < 1, "the queue grows for ever")
      self.classes = classes
    }

    /// Mean time in the queue of each class.
    public var meanWaits: [Double] {
      let inHand = classes.reduce(0) { sum, each in
        sum + each.arrivalRate * each.meanService * each.meanService * (1 + each.variation) / 2
      }
      var load = 0.0
      return classes.map { each in
        let before = 1 - load
        load += each.arrivalRate * each.meanService
        return inHand / (before * (1 - load))
      }
    }
  }

  /// One server that fails and is repaired, busy or not, each after an exponential time; what it has in hand waits meanwhile.
  ///
  /// From the generating functions of the number present while it works and while it stands.
  ///
  /// - Source: H. White, L. S. Christie, "Queuing with preemptive priorities or with breakdown", Operations Research 6 (1958), 79–95.
  public struct MM1WithFailures: Hashable, Sendable {
    public let arrivalRate: Double
    /// While the server works.
    public let serviceRate: Double
    /// Of a server that works.
    public let failureRate: Double
    public let repairRate: Double

    public init(
      arrivalRate: Double, serviceRate: Double, failureRate: Double, repairRate: Double
    ) {
      precondition(arrivalRate > 0 && failureRate >= 0 && repairRate > 0, "rates are positive")
      self.arrivalRate = arrivalRate
      self.serviceRate = serviceRate
      self.failureRate = failureRate
      self.repairRate = repairRate
      precondition(arrivalRate < serviceRate * availability, "the queue grows for ever")
    }

    /// The share of time in which the server works.
    public var availability: Double { repairRate / (failureRate + repairRate) }

    /// Mean number present.
    public var meanPresent: Double {
      let standing = failureRate * arrivalRate / repairRate
      let growth = arrivalRate + standing * (repairRate + arrivalRate) / repairRate
      return growth / (serviceRate - arrivalRate / availability)
        + (1 - availability) * arrivalRate / repairRate
    }

    /// Mean time from arrival to departure.
    public var meanResponse: Double { meanPresent / arrivalRate }
  }
}
