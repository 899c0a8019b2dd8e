import Foundation
import MachineShare
import Testing

@Suite struct `The share of a machine` {
  private static let gigabyte = 1 << 30

  /// What a process sees whose `/proc` and cgroups are these files.
  private func share(
    _ files: [String: String] = [:], environment: [String: String] = [:], processors: Int = 64
  ) throws -> MachineShare {
    let root = FileManager.default.temporaryDirectory
      .appendingPathComponent("rehearsal-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: root) }
    for (path, text) in files {
      let file = root.appendingPathComponent(path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    return MachineShare(
      root: root, environment: environment, processors: processors,
      physicalMemory: 256 * Self.gigabyte)
  }

  /// A job of Slurm or a unit of systemd, three groups below the mount.
  private static let second = [
    "proc/self/cgroup": "0::/jobs/job_7/step_0\n",
    "proc/self/mountinfo": """
    22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
    30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate

    """,
    "proc/meminfo": "MemTotal: 268435456 kB\nMemAvailable: 134217728 kB\n",
  ]

  /// A container that sees its own group as the root of the mounts, while its path is that of the host.
  private static let first = [
    "proc/self/cgroup":
      "5:memory:/docker/f00\n4:cpu,cpuacct:/docker/f00\n1:name=systemd:/docker/f00\n",
    "proc/self/mountinfo": """
    40 39 0:35 /docker/f00 /sys/fs/cgroup/cpu,cpuacct ro,nosuid - cgroup cgroup rw,cpu,cpuacct
    41 39 0:36 /docker/f00 /sys/fs/cgroup/memory ro,nosuid master:9 - cgroup cgroup rw,memory

    """,
    "proc/meminfo": "MemTotal: 268435456 kB\nMemAvailable: 134217728 kB\n",
  ]

  private typealias Files = [String: String]

  private static func adding(_ more: Files, to files: Files) -> Files {
    files.merging(more.map { ("sys/fs/cgroup/" + $0, $1) }) { $1 }
  }

  @Test func `is all that is free where nothing is granted`() throws {
    #expect(try share().processors == 64)
    #expect(try share().memory == 256 * Self.gigabyte)
    let unlimited = try share(
      Self.adding(["jobs/cpu.max": "max 100000\n", "jobs/memory.max": "max\n"], to: Self.second))
    #expect(unlimited.processors == 64)
    #expect(unlimited.memory == 128 * Self.gigabyte)
    let old = try share(
      Self.adding(
        [
          "cpu,cpuacct/cpu.cfs_quota_us": "-1\n", "cpu,cpuacct/cpu.cfs_period_us": "100000\n",
          "memory/memory.limit_in_bytes": "9223372036854771712\n",
          "memory/memory.usage_in_bytes": "1073741824\n",
        ], to: Self.first))
    #expect(old.processors == 64)
    #expect(old.memory == 128 * Self.gigabyte)
  }

  @Test(arguments: [
    ("50000 100000", 1), ("100000 100000", 1), ("100001 100000", 2), ("150000 100000", 2),
    ("400000 100000", 4), ("1000 1000000", 1), ("9900000 100000", 64), ("max 100000", 64),
    ("0 0", 64), ("-1 100000", 64), ("many 100000", 64), ("", 64),
  ])
  func `rounds a processor quota of cgroup v2 up and never exceeds the machine`(
    limit: String, processors: Int
  ) throws {
    let files = Self.adding(["jobs/job_7/step_0/cpu.max": limit + "\n"], to: Self.second)
    #expect(try share(files).processors == processors)
  }

  @Test(arguments: [
    ("3", 2), ("ff", 8), ("00000000,0000f00f", 8), ("ffffffff,ffffffff,ffffffff", 64), ("1", 1),
  ])
  func `follows the processors that a mask or a cpuset leaves`(mask: String, processors: Int) throws
  {
    let status = ["proc/self/status": "Name:\tx\nCpus_allowed:\t\(mask)\nCpus_allowed_list:\t9\n"]
    #expect(try share(status).processors == processors)
  }

  @Test func `is the least that any cgroup above the process grants`() throws {
    let files = Self.adding(
      [
        "jobs/cpu.max": "800000 100000\n", "jobs/job_7/cpu.max": "350000 100000\n",
        "jobs/job_7/step_0/cpu.max": "max 100000\n", "jobs/job_8/cpu.max": "100000 100000\n",
        "jobs/memory.max": "8589934592\n", "jobs/job_7/memory.max": "2147483648\n",
        "jobs/job_7/step_0/memory.max": "max\n", "jobs/job_8/memory.max": "1048576\n",
      ], to: Self.second)
    #expect(try share(files).processors == 4)
    #expect(try share(files).memory == 2 * Self.gigabyte)
  }

  @Test func `counts what a cgroup uses but for pages of files that can be given back`() throws {
    let files = Self.adding(
      [
        "jobs/job_7/memory.max": "4294967296\n", "jobs/job_7/memory.current": "3221225472\n",
        "jobs/job_7/memory.stat": "anon 1\nfile 1\ninactive_file 1073741824\nactive_file 7\n",
      ], to: Self.second)
    #expect(try share(files).memory == 2 * Self.gigabyte)
    let full = Self.adding(["jobs/job_7/memory.current": "6442450944\n"], to: files)
    #expect(try share(full).memory == 0)
  }

  @Test func `follows cgroup v1 in a container that is told its path on the host`() throws {
    let files = Self.adding(
      [
        "cpu,cpuacct/cpu.cfs_quota_us": "250000\n", "cpu,cpuacct/cpu.cfs_period_us": "100000\n",
        "memory/memory.limit_in_bytes": "4294967296\n",
        "memory/memory.usage_in_bytes": "2147483648\n",
        "memory/memory.stat": "inactive_file 1\ntotal_inactive_file 1073741824\n",
      ], to: Self.first)
    #expect(try share(files).processors == 3)
    #expect(try share(files).memory == 3 * Self.gigabyte)
  }

  @Test func `follows the mounted group where the process's path leads elsewhere`() throws {
    var files = Self.adding(["cpu.max": "200000 100000\n"], to: Self.second)
    files["proc/self/cgroup"] = "0::/../../elsewhere\n"
    #expect(try share(files).processors == 2)
  }

  @Test(arguments: [
    (["CPUS_PER_TASK": "3", "CPUS_ON_NODE": "12"], 3), (["CPUS_ON_NODE": "12"], 12),
    (["CPUS_PER_TASK": "128"], 64), (["CPUS_PER_TASK": "0"], 64), (["CPUS_PER_TASK": "-4"], 64),
    (["CPUS_PER_TASK": "two"], 64),
  ])
  func `follows what Slurm granted to a task`(job: [String: String], processors: Int) throws {
    let environment = Dictionary(uniqueKeysWithValues: job.map { ("SLURM_" + $0, $1) })
    #expect(try share(environment: environment).processors == processors)
    let limited = Self.adding(["jobs/cpu.max": "200000 100000\n"], to: Self.second)
    #expect(try share(limited, environment: environment).processors == 2)
  }

  @Test func `follows the memory that Slurm granted to a job`() throws {
    #expect(try share(environment: ["SLURM_MEM_PER_NODE": "2048"]).memory == 2 * Self.gigabyte)
    #expect(try share(environment: ["SLURM_MEM_PER_NODE": "0"]).memory == 256 * Self.gigabyte)
    let perProcessor = ["SLURM_MEM_PER_CPU": "1024", "SLURM_CPUS_PER_TASK": "4"]
    #expect(try share(environment: perProcessor).memory == 4 * Self.gigabyte)
    let absurd = ["SLURM_MEM_PER_CPU": "9223372036854775807"]
    #expect(try share(environment: absurd).memory == 256 * Self.gigabyte)
  }

  @Test func `is at least one processor and no less memory than none, whatever the files say`()
    throws
  {
    let damaged = [
      "proc/self/cgroup": "0::\n::::\nnonsense\n0::/a/b\n",
      "proc/self/mountinfo": "- -\n1 2 3 4 5 - cgroup2\n30 23 0:26 / /c rw - cgroup2 x rw\n",
      "proc/meminfo": "MemAvailable: kB\n", "proc/self/status": "Cpus_allowed:\n",
      "c/cpu.max": "\u{0}\n", "c/memory.max": "-5\n",
    ]
    #expect(try share(damaged, processors: 0).processors == 1)
    #expect(try share(damaged).memory == 0)
  }

  @Test func `is known of this process`() {
    #expect(MachineShare.current.processors >= 1)
    #expect(MachineShare.current.memory > 0)
  }
}
