import Foundation
import Observations
import Timekeeping

/// What the generator saw of itself: whether the figures are about the server.
public struct GeneratorWatch: Sendable {
  /// From the moment a call was due until it was ready to be sent. Waiting for a connection does not count: that is the server's.
  public var lateness = LatencyHistogram()
  /// How late the loop woke, at its worst.
  public var longestOversleep = Span.zero
  /// How long the loop was at work between two waits, at its longest.
  public var longestTurn = Span.zero
  /// Calls that were due and never begun, because too many waited already.
  public var missed = 0
  /// Processor time of the loop's thread, and of the whole program.
  public var threadTime = Span.zero
  public var processTime = Span.zero
  /// How long the loop's thread could have run and did not: other programs had the processors.
  public var starved = Span.zero
  /// How far the clock that people set moved against the one that is measured by, and how long the machine slept.
  public var clockSet = Span.zero
  public var slept = Span.zero
  /// Calls that found no local port or descriptor.
  public var withoutPort = 0
  public var lasted = Span.zero

  public init() {}

  /// The longest time in which the loop could not look.
  public var longestStall: Span { max(longestOversleep, longestTurn) }
  /// The share of one core that the loop's thread took, in 0...1.
  public var threadShare: Double { lasted > .zero ? threadTime.seconds / lasted.seconds : 0 }
}

/// Beyond these a run says more about the generator than about the server.
public struct GeneratorLimits: Sendable, Equatable {
  /// 99 % of calls are ready within so long.
  public var lateness: Span
  public var stall: Span
  /// Of one core, in 0...1.
  public var threadShare: Double

  /// - Parameters:
  ///   - lateness: The standard 10 ms is far below what users feel and far above what a quiet machine shows (a tenth of a millisecond).
  ///   - stall: The standard 100 ms is a pause that no scheduler makes on a machine with room.
  ///   - threadShare: Beyond nine tenths of a core a queue forms in the generator itself.
  public init(
    lateness: Span = .milliseconds(10), stall: Span = .milliseconds(100), threadShare: Double = 0.9
  ) {
    self.lateness = lateness
    self.stall = stall
    self.threadShare = threadShare
  }

  /// Why a run is invalid, each with the resource that was short; none where the generator kept up.
  public func breaches(of watch: GeneratorWatch) -> [String] {
    var found: [String] = []
    if let late = watch.lateness.quantile(0.99), late > lateness {
      found.append(
        "\(blame(watch)): 1 % of calls were ready more than \(late) late (limit \(lateness))")
    }
    if watch.longestStall > stall {
      found.append(
        "\(blame(watch)): the generator stood still for \(watch.longestStall) (limit \(stall))")
    }
    if watch.threadShare > threadShare {
      found.append(
        "processor: the generator's thread took \(percent(watch.threadShare)) of a core (limit \(percent(threadShare)))"
      )
    }
    if watch.missed > 0 {
      found.append("memory: \(watch.missed) calls that were due were never begun, too many waited")
    }
    if watch.withoutPort > 0 {
      found.append("local ports: \(watch.withoutPort) calls found none to connect from")
    }
    if watch.slept > .milliseconds(100) {
      found.append("machine: it slept for \(watch.slept)")
    }
    return found
  }

  /// The same of the generators of one load: each is held against the limits by itself, and named.
  public func breaches(of generators: [(share: Share, watch: GeneratorWatch)]) -> [String] {
    generators.flatMap { generator in
      breaches(of: generator.watch).map { "generator \(generator.share): \($0)" }
    }
  }

  /// Whether the generator was busy itself, others had the processors, or it was stopped.
  private func blame(_ watch: GeneratorWatch) -> String {
    if watch.threadShare > threadShare { return "processor" }
    let late = max(watch.longestStall, watch.lateness.maximum ?? .zero)
    return watch.starved * 2 > late ? "processor, which other programs had" : "scheduling"
  }

  private func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }
}

/// Reads the clocks at the beginning and at the end.
struct WatchClocks {
  private let began = MonotonicClock.now
  private let thread = MonotonicClock.thread
  private let process = MonotonicClock.process
  private let civil = MonotonicClock.civil - MonotonicClock.now
  private let sleep = MonotonicClock.withSleep - MonotonicClock.now
  private let waited = Self.waitedToRun

  func read(into watch: inout GeneratorWatch) {
    watch.lasted = MonotonicClock.now - began
    watch.threadTime = MonotonicClock.thread - thread
    watch.processTime = MonotonicClock.process - process
    watch.clockSet = MonotonicClock.civil - MonotonicClock.now - civil
    watch.slept = max(.zero, MonotonicClock.withSleep - MonotonicClock.now - sleep)
    watch.starved = max(.zero, Self.waitedToRun - waited)
  }

  /// The second figure of the thread's `schedstat`: nanoseconds in which it was ready and not running. Zero where the kernel does not tell.
  private static var waitedToRun: Span {
    let text = (try? String(contentsOfFile: "/proc/thread-self/schedstat", encoding: .utf8)) ?? ""
    let figures = text.split(separator: " ").compactMap { Int64($0) }
    return figures.count > 1 ? Span(nanoseconds: figures[1]) : .zero
  }
}

extension GeneratorWatch {
  /// Adds what another generator of the same load saw of itself: what a limit is held against is that of the one that is worse.
  public mutating func merge(_ other: GeneratorWatch) {
    lateness.merge(other.lateness)
    longestOversleep = max(longestOversleep, other.longestOversleep)
    longestTurn = max(longestTurn, other.longestTurn)
    missed += other.missed
    let share = max(threadShare, other.threadShare)
    lasted = max(lasted, other.lasted)
    threadTime = Span(seconds: share * lasted.seconds)
    processTime = processTime + other.processTime
    starved = max(starved, other.starved)
    if abs(other.clockSet.nanoseconds) > abs(clockSet.nanoseconds) { clockSet = other.clockSet }
    slept = max(slept, other.slept)
    withoutPort += other.withoutPort
  }
}

extension GeneratorWatch: Packable {
  public mutating func pack(_ packing: inout Packing) throws(PackingProblem) {
    try lateness.pack(&packing)
    try packing.pack(&longestOversleep)
    try packing.pack(&longestTurn)
    try packing.count(&missed)
    try packing.pack(&threadTime)
    try packing.pack(&processTime)
    try packing.pack(&starved)
    try packing.pack(&clockSet)
    try packing.pack(&slept)
    try packing.count(&withoutPort)
    try packing.pack(&lasted)
  }
}
