import MimiSupplyContract
import Timekeeping

/// Drivers who could take an order now, in cells of about half a kilometre.
///
/// A search looks at rings of cells around the partner and stops where no nearer driver can be; once it has looked at
/// more cells than there are drivers, it looks at all drivers instead.
///
/// - Complexity: O(1) to move a driver; a search looks at the cells within the distance it needs.
struct DriverGrid: Sendable {
  struct Entry: Sendable {
    let name: RecordName
    let point: Geography.Point
    /// cos(latitude): half of what a distance costs.
    let cosine: Double
  }

  /// Cells are 1/200 of a degree from south to north, 1/125 from west to east.
  private static let rows: Int64 = 200
  private static let columns: Int64 = 125
  private static let columnsAround: Int64 = 360 * columns

  private struct Cell: Hashable {
    let row: Int64
    let column: Int64
  }

  private var cells: [Cell: [Entry]] = [:]
  private var all: [Entry] = []
  private var places: [RecordName: Int] = [:]
  /// Where each driver was who was moved.
  var log = UndoLog<(name: RecordName, point: Geography.Point?)>()

  var count: Int { all.count }

  func contains(_ name: RecordName) -> Bool { places[name] != nil }

  /// Puts a driver where he is; `nil` takes him out.
  mutating func place(_ name: RecordName, at point: Geography.Point?) {
    let index = places[name]
    if let index {
      guard all[index].point != point else { return }
      leaveCell(all[index])
    }
    log.note((name, index.map { all[$0].point }))
    guard let point else {
      if let index { remove(at: index) }
      return
    }
    let entry = Entry(
      name: name, point: point, cosine: Elementary.cos(Geography.radians(point.latitude)))
    cells[Self.cell(of: point), default: []].append(entry)
    if let index {
      all[index] = entry
    } else {
      places[name] = all.count
      all.append(entry)
    }
  }

  private mutating func leaveCell(_ entry: Entry) {
    let cell = Self.cell(of: entry.point)
    guard cells[cell]!.count > 1 else {
      cells[cell] = nil
      return
    }
    let index = cells[cell]!.firstIndex { $0.name == entry.name }!
    cells[cell]!.swapAt(index, cells[cell]!.count - 1)
    cells[cell]!.removeLast()
  }

  private mutating func remove(at index: Int) {
    places[all[index].name] = nil
    let last = all.removeLast()
    guard index < all.count else { return }
    all[index] = last
    places[last.name] = index
  }

  /// Calls `visit` with every driver that can lie within a distance and perhaps with some beyond, near rings first;
  /// `visit` returns the distance in metres beyond which nobody is of interest any more.
  ///
  /// The order inside a ring means nothing: whoever visits must rank.
  ///
  /// - Returns: How many drivers were looked at.
  func search(
    around centre: Geography.Point, within metres: Double,
    visit: (_ entry: Entry, _ metres: Double) -> Double
  ) -> Int {
    let cosine = Elementary.cos(Geography.radians(centre.latitude))
    let middle = Self.cell(of: centre)
    var limit = metres
    var visited = 0
    var ring: Int64 = 0
    var seen = 0
    while Self.distance(toRing: ring, from: centre) <= limit {
      let size = ring == 0 ? 1 : 8 * Int(ring)
      if visited + size > all.count + 9 || 2 * ring + 1 >= Self.columnsAround {
        searchAll(around: centre, cosine: cosine, within: limit, visit: visit)
        return seen + all.count
      }
      visited += size
      Self.walk(ring, around: middle) { cell in
        for entry in cells[cell] ?? [] {
          seen += 1
          let distance = Geography.distance(
            centre, entry.point, cosines: cosine * entry.cosine)
          if distance.rounded() <= limit { limit = min(limit, visit(entry, distance)) }
        }
      }
      if seen == all.count { break }
      ring += 1
    }
    return seen
  }

  /// Drivers may be visited twice, after a ring and here: a visitor that ranks does not mind.
  private func searchAll(
    around centre: Geography.Point, cosine: Double, within metres: Double,
    visit: (_ entry: Entry, _ metres: Double) -> Double
  ) {
    var limit = metres
    for entry in all {
      // A degree of latitude has more than 111 km.
      if (entry.point.latitude - centre.latitude).magnitude * 111_000 > limit + 1 { continue }
      let distance = Geography.distance(centre, entry.point, cosines: cosine * entry.cosine)
      if distance.rounded() <= limit { limit = min(limit, visit(entry, distance)) }
    }
  }

  /// How far everything is at least that lies in a ring or beyond it; a metre less, for the rounding.
  private static func distance(toRing ring: Int64, from centre: Geography.Point) -> Double {
    guard ring > 1 else { return 0 }
    let north = Double(ring - 1) / Double(rows)
    let east = Double(ring - 1) / Double(columns)
    let toNorth = Geography.earthRadius * Geography.radians(north)
    guard east < 90 else { return 0 }
    // The nearest point of a meridian is at a right angle to it.
    let sine =
      Elementary.cos(Geography.radians(centre.latitude))
      * Elementary.sin(Geography.radians(east))
    let toEast = Geography.earthRadius * Geography.arcsine(max(0, min(1, sine)))
    return min(toNorth, toEast) - 1
  }

  private static func cell(of point: Geography.Point) -> Cell {
    let row = Int64((point.latitude * Double(rows)).rounded(.down))
    let column = Int64((point.longitude * Double(columns)).rounded(.down))
    return Cell(row: row, column: wrapped(column))
  }

  private static func wrapped(_ column: Int64) -> Int64 {
    let rest = column % columnsAround
    return rest < 0 ? rest + columnsAround : rest
  }

  private static func walk(_ ring: Int64, around middle: Cell, _ body: (Cell) -> Void) {
    func visit(_ row: Int64, _ column: Int64) {
      body(Cell(row: middle.row + row, column: wrapped(middle.column + column)))
    }
    guard ring > 0 else { return visit(0, 0) }
    for step in -ring...ring {
      visit(-ring, step)
      visit(ring, step)
    }
    for step in (1 - ring)..<ring {
      visit(step, -ring)
      visit(step, ring)
    }
  }
}
