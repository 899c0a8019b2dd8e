/// Runs the journeys of one region, and nothing runs that the region did not schedule: a job waits here until the
/// region's loop takes it.
///
/// One thread at a time drives a region, so the list needs no lock; the coordinator's lock orders the threads.
final class RegionExecutor: TaskExecutor, @unchecked Sendable {
  private var ready: ContiguousArray<UnownedJob> = []
  private var next = 0

  func enqueue(_ job: consuming ExecutorJob) {
    ready.append(UnownedJob(job))
  }

  /// Whether no job is ready but the one that runs, if one does.
  var isRunningItsLast: Bool { next == ready.count }

  /// Runs every ready job, also those that become ready meanwhile, in the order in which they became ready.
  func runReady() {
    guard !ready.isEmpty else { return }
    let executor = asUnownedTaskExecutor()
    while next < ready.count {
      let job = ready[next]
      next += 1
      job.runSynchronously(on: executor)
    }
    while !ready.isEmpty { ready.removeLast() }
    next = 0
  }
}

/// Carries a region's own things into its own tasks: the region's executor runs them on the thread that drives it.
struct Unconfined<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}
