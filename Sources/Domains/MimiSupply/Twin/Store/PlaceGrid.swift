import MimiSupplyContract

/// Records by position, in cells of a fiftieth of a degree: who asks for a region looks at its cells alone.
struct PlaceGrid: Undoable, Sendable {
  private struct Cell: Hashable, Sendable {
    let row: Int32
    let column: Int32
  }

  private static let cellsPerDegree = 50.0
  /// One degree of latitude on the sphere of §0.2, rounded down: cells rather too many than too few.
  private static let metresPerDegree = 111_190.0

  private var cells: [Cell: SortedNames] = [:]
  private var places: [RecordName: Geography.Point] = [:]
  /// Where each record was that was moved.
  private var log = UndoLog<(name: RecordName, point: Geography.Point?)>()

  mutating func mark(_ marking: Marking) {
    for (name, point) in log.mark(marking) { place(name, at: point) }
  }

  private static func cell(_ latitude: Double, _ longitude: Double) -> Cell {
    Cell(
      row: Int32((latitude * cellsPerDegree).rounded(.down)),
      column: Int32((longitude * cellsPerDegree).rounded(.down)))
  }

  /// Puts a record at a point, or with `nil` takes it off the map.
  mutating func place(_ name: RecordName, at point: Geography.Point?) {
    let old = places[name]
    log.note((name, old))
    if let old {
      let cell = Self.cell(old.latitude, old.longitude)
      cells[cell]?.remove(name)
      if cells[cell]?.isEmpty == true { cells[cell] = nil }
    }
    let point = point.flatMap { $0.isOnEarth ? $0 : nil }
    places[name] = point
    guard let point else { return }
    cells[Self.cell(point.latitude, point.longitude), default: SortedNames()].insert(name)
  }

  /// All records that may lie within a distance, and some that do not; `nil` when every cell would have to be looked
  /// at: near a pole, across the date line, or for a region that spans more cells than there are.
  func near(_ point: Geography.Point, metres: Double) -> [RecordName]? {
    let reach = metres / Self.metresPerDegree
    let furthest = abs(point.latitude) + reach
    guard furthest < 75 else { return nil }
    // 1 - x²/2 bounds the cosine from below, so the region from above.
    let radians = furthest * 3.141_592_653_589_793 / 180
    let width = reach / (1 - radians * radians / 2)
    guard abs(point.longitude) + width < 180 else { return nil }
    let low = Self.cell(point.latitude - reach, point.longitude - width)
    let high = Self.cell(point.latitude + reach, point.longitude + width)
    let spanned = (Int(high.row - low.row) + 1) * (Int(high.column - low.column) + 1)
    guard spanned <= Swift.max(64, cells.count) else { return nil }
    var names: [RecordName] = []
    for row in low.row...high.row {
      for column in low.column...high.column {
        if let found = cells[Cell(row: row, column: column)] { names += found }
      }
    }
    return names
  }
}
