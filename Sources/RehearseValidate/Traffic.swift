import Timekeeping

/// Response times whose truth is known in closed form, one replication at a time.
public struct Traffic: Sendable {
  public let name: String
  /// Requests in a replication.
  public let requests: Int
  public let mean: Double
  /// The time that a share of all requests exceeds.
  public let bound: @Sendable (_ share: Double) -> Double
  public let replication: @Sendable (inout RandomStream) -> [Double]

  public static let all = [
    exponential, logNormal, bimodal, waits(requests: 500), waits(requests: 1_000), queue, longQueue,
  ]

  public static let exponential = Traffic(
    name: "exponential", requests: 200, mean: 1, bound: { -Elementary.log($0) },
    replication: { stream in (0..<200).map { _ in stream.exponential(mean: 1) } })

  /// σ = 1: skewness 6.2.
  public static let logNormal = Traffic(
    name: "log-normal, σ = 1", requests: 200, mean: Elementary.exp(0.5),
    bound: { Elementary.exp(Elementary.normalQuantile(1 - $0)) },
    replication: { stream in (0..<200).map { _ in stream.lognormal(median: 1, sigma: 1) } })

  /// One request in five misses a cache: an exponential time, ten more for those that miss. Bounds lie among the misses.
  public static let bimodal = Traffic(
    name: "bimodal", requests: 200, mean: 3,
    bound: { 10 + Elementary.log((0.2 + 0.8 * Elementary.exp(-10)) / $0) },
    replication: { stream in
      (0..<200).map { _ in stream.exponential(mean: 1) + (stream.chance(0.2) ? 10 : 0) }
    })

  /// One request a replication, as if a replication were one heavy draw, and means of more of them.
  public static let heavyTails = [
    logNormal(sigma: 1.5, requests: 1), logNormal(sigma: 2, requests: 50),
    pareto(2.5, requests: 100), pareto(1.8, requests: 1), pareto(1.5, requests: 100),
  ]

  private static func logNormal(sigma: Double, requests: Int) -> Traffic {
    Traffic(
      name: "log-normal, σ = \(sigma)", requests: requests,
      mean: Elementary.exp(sigma * sigma / 2),
      bound: { Elementary.exp(sigma * Elementary.normalQuantile(1 - $0)) },
      replication: { stream in
        (0..<requests).map { _ in stream.lognormal(median: 1, sigma: sigma) }
      })
  }

  /// From 1 on; a share of t^−index is above a time t.
  private static func pareto(_ index: Double, requests: Int) -> Traffic {
    Traffic(
      name: "Pareto, index \(index)", requests: requests, mean: index / (index - 1),
      bound: { Elementary.exp(-Elementary.log($0) / index) },
      replication: { stream in
        (0..<requests).map { _ in Elementary.exp(stream.exponential(mean: 1 / index)) }
      })
  }

  public static let queue = waits(requests: 4_000)
  public static let longQueue = waits(requests: 16_000)

  /// Waits in the queue of one server that is busy 90 % of the time, begun in its steady state: neighbours are nearly equal.
  ///
  /// - Source: D. V. Lindley, "The theory of queues with a single server", Proc. Cambridge Phil. Soc. 48 (1952), 277–289.
  private static func waits(requests: Int) -> Traffic {
    Traffic(
      name: "M/M/1 waits at 0.9", requests: requests, mean: 9,
      bound: { Elementary.log(0.9 / $0) * 10 },
      replication: { stream in
        var wait = stream.chance(0.9) ? stream.exponential(mean: 10) : 0
        return (0..<requests).map { _ in
          defer {
            wait = max(0, wait + stream.exponential(mean: 1) - stream.exponential(mean: 1 / 0.9))
          }
          return wait
        }
      })
  }
}
