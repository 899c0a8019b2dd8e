import Observations

/// How far the people of one role got: who asked for what, and who got it, over all replications.
public struct FunnelResult: Hashable, Sendable {
  public var world: String
  /// What the names of these people share.
  public var role: String
  public var persons: Int
  public var steps: [Step]

  /// One operation of the product.
  public struct Step: Hashable, Sendable {
    public var operation: String
    public var title: String
    /// People who asked at least once, and those who were replied to at least once.
    public var asked: Int
    public var got: Int
    public var requests: Int
    public var replied: Int
    public var refused: Int

    public init(
      operation: String, title: String, asked: Int, got: Int, requests: Int, replied: Int,
      refused: Int
    ) {
      self.operation = operation
      self.title = title
      self.asked = asked
      self.got = got
      self.requests = requests
      self.replied = replied
      self.refused = refused
    }
  }

  public init(world: String, role: String, persons: Int, steps: [Step]) {
    self.world = world
    self.role = role
    self.persons = persons
    self.steps = steps
  }
}

extension Merged {
  /// Roles in the order in which regions name them; operations that nobody of a role asked for are left out.
  var funnel: [FunnelResult] {
    whole.funnel.rows.map { row in
      FunnelResult(
        world: declaration.domain, role: row.role, persons: row.persons,
        steps: whole.operations.indices.compactMap { index in
          let (operation, cell) = (whole.operations[index], row.cells[index])
          guard operation.kind == .product, cell.requests > 0 else { return nil }
          return FunnelResult.Step(
            operation: operation.name, title: operation.title, asked: cell.asked, got: cell.got,
            requests: cell.requests, replied: cell.replied, refused: cell.refused)
        })
    }.filter { !$0.steps.isEmpty }
  }

  var load: LoadSeries {
    let load = whole.load
    let (p50, p95) = (
      SliceQuantiles(0.5, whole: load, of: each.map(\.load)),
      SliceQuantiles(0.95, whole: load, of: each.map(\.load))
    )
    return LoadSeries(
      world: declaration.domain, slice: load.slice, requests: load.requests, refused: load.refused,
      lost: load.lost, p50: p50.seconds, p95: p95.seconds,
      p99: load.requests.indices.map { load.latencies.quantile(0.99, slice: $0) },
      p50Intervals: p50.intervals, p95Intervals: p95.intervals)
  }
}
