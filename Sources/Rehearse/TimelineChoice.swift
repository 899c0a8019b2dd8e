import ArgumentParser

/// Where a run's time comes from, as the command line names it.
enum TimelineChoice: String, ExpressibleByArgument, CaseIterable {
  case virtual, wall
}
