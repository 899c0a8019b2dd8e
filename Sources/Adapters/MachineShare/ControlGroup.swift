import Foundation

/// One cgroup that this process is in, of version 1 or 2: a folder of files, each with a limit.
///
/// - Source: Linux, Documentation/admin-guide/cgroup-v2.rst, cgroup-v1/memory.rst, scheduler/sched-bwc.rst; proc_pid_mountinfo(5).
struct ControlGroup {
  let folder: URL

  /// Those whose limits hold for this process: its own and all above it, as far as they can be seen from here.
  static func all(below root: URL) -> [ControlGroup] {
    let memberships = lines(of: "proc/self/cgroup", below: root).map {
      $0.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
    }.filter { $0.count == 3 }
    return lines(of: "proc/self/mountinfo", below: root).flatMap { line -> [ControlGroup] in
      // ID parent device ROOT POINT options … - TYPE source OPTIONS
      let words = line.split(separator: " ")
      guard let dash = words.firstIndex(of: "-"), dash >= 6, words.count > dash + 3 else {
        return []
      }
      let controllers = words[dash + 3].split(separator: ",")
      let membership = memberships.first { member in
        switch words[dash + 1] {
        case "cgroup2": member[0] == "0"
        case "cgroup": member[1].split(separator: ",").contains { controllers.contains($0) }
        default: false
        }
      }
      guard let membership else { return [] }
      var folder = root.appendingPathComponent(String(words[4]))
      return [ControlGroup(folder: folder)]
        + way(to: membership[2], from: words[3]).map { step in
          folder.appendPathComponent(step)
          return ControlGroup(folder: folder)
        }
    }
  }

  /// The steps from what is mounted down to the process's group; none where that lies elsewhere, as in a container whose own group is what is mounted.
  private static func way(to path: Substring, from mounted: Substring) -> [String] {
    let steps = path.split(separator: "/")
    let above = mounted.split(separator: "/")
    guard steps.starts(with: above), !steps.contains("..") else { return [] }
    return steps.dropFirst(above.count).map(String.init)
  }

  /// Processors, a begun one whole; `nil` without a limit.
  var processors: Int? {
    let limit = lines(of: "cpu.max", below: folder).first?.split(separator: " ").map { Int($0) }
    let quota = limit?.first ?? number("cpu.cfs_quota_us")
    let period = limit?.last ?? number("cpu.cfs_period_us")
    guard let quota, let period, quota > 0, period > 0 else { return nil }
    return (quota - 1) / period + 1
  }

  /// Bytes that its limit leaves, with files' pages that the kernel would give back; `nil` without a limit.
  var memory: Int? {
    guard let limit = number("memory.max") ?? number("memory.limit_in_bytes") else { return nil }
    let used = number("memory.current") ?? number("memory.usage_in_bytes") ?? 0
    // In version 1 the second one counts the groups below, too, as the usage does.
    let reclaimable = lines(of: "memory.stat", below: folder).reduce(0) { most, line in
      let words = line.split(separator: " ")
      guard ["inactive_file", "total_inactive_file"].contains(words.first) else { return most }
      return max(most, words.last.flatMap { Int($0) } ?? 0)
    }
    return limit - max(0, used - reclaimable)
  }

  private func number(_ file: String) -> Int? {
    lines(of: file, below: folder).first.flatMap { Int($0) }
  }
}
