import Foundation

/// The part of the machine that this process may use: what the kernel, its cgroups and a scheduler grant, whichever is least.
public struct MachineShare: Sendable, Hashable {
  /// How many threads can run at once; at least 1. A fraction of a processor counts as a whole one.
  public let processors: Int
  /// Bytes of memory that are free.
  public let memory: Int

  /// That of this process.
  public static let current = MachineShare(
    root: URL(fileURLWithPath: "/"), environment: ProcessInfo.processInfo.environment,
    processors: ProcessInfo.processInfo.activeProcessorCount,
    physicalMemory: Int(clamping: ProcessInfo.processInfo.physicalMemory))

  /// - Parameters:
  ///   - root: The folder that holds `proc` and whatever `proc/self/mountinfo` names.
  ///   - environment: Variables of the process, among them those that Slurm sets for a job.
  ///   - processors: How many are online.
  ///   - physicalMemory: Bytes; counts where `proc/meminfo` does not say how many are available.
  public init(
    root: URL, environment: [String: String], processors: Int, physicalMemory: Int
  ) {
    let groups = ControlGroup.all(below: root)
    let job = SlurmJob(environment)
    let granted = groups.map(\.processors) + [job.processors, Self.allowed(below: root)]
    self.processors = max(1, granted.reduce(processors) { min($0, $1 ?? $0) })
    let free = groups.map(\.memory) + [job.memory(processors: self.processors)]
    memory = max(
      0, free.reduce(Self.available(below: root) ?? physicalMemory) { min($0, $1 ?? $0) })
  }

  /// The processors that a cpuset or a mask leaves (`taskset`, Slurm's `ConstrainCores`), in hexadecimal digits.
  private static func allowed(below root: URL) -> Int? {
    value(of: "Cpus_allowed:", in: "proc/self/status", below: root)?
      .compactMap(\.hexDigitValue).reduce(0) { $0 + $1.nonzeroBitCount }
  }

  private static func available(below root: URL) -> Int? {
    let kilobytes = value(of: "MemAvailable:", in: "proc/meminfo", below: root)?.dropLast(3)
    return kilobytes.flatMap { Int($0) }.map { $0 << 10 }
  }

  private static func value(of name: String, in file: String, below root: URL) -> Substring? {
    lines(of: file, below: root).first { $0.hasPrefix(name) }?
      .dropFirst(name.count).drop { $0 == " " || $0 == "\t" }
  }
}

/// What Slurm granted to a job, whether or not cgroups hold it to that.
///
/// - Source: `man sbatch`, "Output environment variables".
private struct SlurmJob {
  let processors: Int?
  /// Megabytes; 0 stands for all of a node's.
  let memoryOfNode: Int?
  let memoryOfProcessor: Int?

  init(_ environment: [String: String]) {
    func number(_ name: String) -> Int? {
      environment["SLURM_" + name].flatMap { Int($0) }.flatMap { $0 > 0 ? min($0, 1 << 30) : nil }
    }
    processors = number("CPUS_PER_TASK") ?? number("CPUS_ON_NODE")
    memoryOfNode = number("MEM_PER_NODE")
    memoryOfProcessor = number("MEM_PER_CPU")
  }

  func memory(processors: Int) -> Int? {
    (memoryOfNode ?? memoryOfProcessor.map { $0 * processors }).map { $0 << 20 }
  }
}

/// None where it cannot be read.
func lines(of file: String, below folder: URL) -> [Substring] {
  let text = try? String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
  return (text ?? "").split(separator: "\n")
}
