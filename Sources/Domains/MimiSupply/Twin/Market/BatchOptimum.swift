/// The best matching of orders and drivers (§6.4): most orders, then least metres, then the smallest sequence of
/// drivers; exact.
///
/// Each connected component is an assignment problem with the weights B − metres, solved by shortest augmenting paths
/// with its smaller side as rows. The dual prices tell which pairs occur in any optimum at all; among those the orders
/// choose one after another the smallest driver that leaves an optimum possible.
///
/// - Source: H. W. Kuhn, "The Hungarian method for the assignment problem", Naval Research Logistics Quarterly 2 (1955),
///   83–97; the choice among optima rests on N. S. Mendelsohn, A. L. Dulmage, "Some generalizations of the problem of
///   distinct representatives", Canadian Journal of Mathematics 10 (1958), 230–241.
struct BatchOptimum {
  struct Edge: Hashable {
    let driver: Int
    let metres: Int
  }

  /// - Parameters:
  ///   - edges: Per order, in the order in which orders are listed; each driver at most once.
  ///   - drivers: How many there are; their numbers are the order of their names.
  /// - Returns: Per order its driver.
  static func match(_ edges: [[Edge]], drivers: Int) -> [Int?] {
    var result = [Int?](repeating: nil, count: edges.count)
    for component in components(edges, drivers: drivers) {
      var local: [Int: Int] = [:]
      for (index, driver) in component.drivers.enumerated() { local[driver] = index }
      var part = BatchOptimum(
        component.orders.map { order in
          edges[order].map { Edge(driver: local[$0.driver]!, metres: $0.metres) }
        }, drivers: component.drivers.count)
      part.solve()
      part.chooseLeast()
      for (index, order) in component.orders.enumerated() {
        result[order] = part.driverOf[index].map { component.drivers[$0] }
      }
    }
    return result
  }

  /// Orders and drivers that are connected, both ascending.
  static func components(
    _ edges: [[Edge]], drivers: Int
  ) -> [(orders: [Int], drivers: [Int])] {
    var ordersOf = [[Int]](repeating: [], count: drivers)
    for (order, list) in edges.enumerated() {
      for edge in list { ordersOf[edge.driver].append(order) }
    }
    var seenOrder = [Bool](repeating: false, count: edges.count)
    var seenDriver = [Bool](repeating: false, count: drivers)
    var components: [(orders: [Int], drivers: [Int])] = []
    for start in edges.indices where !seenOrder[start] && !edges[start].isEmpty {
      var (orders, found) = ([start], [Int]())
      seenOrder[start] = true
      var next = 0
      while next < orders.count {
        for edge in edges[orders[next]] where !seenDriver[edge.driver] {
          seenDriver[edge.driver] = true
          found.append(edge.driver)
          for order in ordersOf[edge.driver] where !seenOrder[order] {
            seenOrder[order] = true
            orders.append(order)
          }
        }
        next += 1
      }
      components.append((orders.sorted(), found.sorted()))
    }
    return components
  }

  // MARK: - One component

  private let edges: [[Edge]]
  private let orderCount: Int
  private let driverCount: Int
  /// Larger than all metres of a matching: one more order outweighs every distance.
  private let bonus: Int64
  /// Weight per order and driver; `nil` where there is no edge.
  private var weight: [[Int64?]]
  private(set) var driverOf: [Int?]
  private var orderOf: [Int?]
  private var priceOfOrder: [Int64]
  private var priceOfDriver: [Int64]

  private init(_ edges: [[Edge]], drivers: Int) {
    self.edges = edges
    orderCount = edges.count
    driverCount = drivers
    let longest = Int64(edges.joined().map(\.metres).max() ?? 0)
    bonus = (longest + 1) * Int64(min(edges.count, drivers) + 1)
    weight = [[Int64?]](
      repeating: [Int64?](repeating: nil, count: drivers), count: edges.count)
    for (order, list) in edges.enumerated() {
      for edge in list { weight[order][edge.driver] = bonus - Int64(edge.metres) }
    }
    driverOf = [Int?](repeating: nil, count: edges.count)
    orderOf = [Int?](repeating: nil, count: drivers)
    priceOfOrder = [Int64](repeating: 0, count: edges.count)
    priceOfDriver = [Int64](repeating: 0, count: drivers)
  }

  private mutating func solve() {
    let byOrder = orderCount <= driverCount
    let (rows, columns) = byOrder ? (orderCount, driverCount) : (driverCount, orderCount)
    func gain(_ row: Int, _ column: Int) -> Int64? {
      byOrder ? weight[row][column] : weight[column][row]
    }
    let solution = Self.assign(rows: rows, columns: columns, bonus: bonus, gain: gain)
    for (row, column) in solution.columnOf.enumerated() {
      guard let column else { continue }
      let (order, driver) = byOrder ? (row, column) : (column, row)
      driverOf[order] = driver
      orderOf[driver] = order
    }
    priceOfOrder = byOrder ? solution.rowPrice : solution.columnPrice
    priceOfDriver = byOrder ? solution.columnPrice : solution.rowPrice
  }

  /// Every row gets a column or stays alone, which costs `bonus`; the cost of a pair is `bonus` − gain.
  private static func assign(
    rows: Int, columns: Int, bonus: Int64, gain: (Int, Int) -> Int64?
  ) -> (columnOf: [Int?], rowPrice: [Int64], columnPrice: [Int64]) {
    // Column `columns` + row stands for "alone"; one more, the last, is where a new row starts from.
    let width = columns + rows
    var u = [Int64](repeating: 0, count: rows)
    var v = [Int64](repeating: 0, count: width + 1)
    var rowAt = [Int](repeating: -1, count: width + 1)
    var way = [Int](repeating: 0, count: width + 1)
    let start = width
    func cost(_ row: Int, _ column: Int) -> Int64? {
      if column >= columns { return column == columns + row ? bonus : nil }
      return gain(row, column).map { bonus - $0 }
    }
    for row in 0..<rows {
      rowAt[start] = row
      var least = [Int64](repeating: .max, count: width)
      var used = [Bool](repeating: false, count: width + 1)
      var column = start
      repeat {
        used[column] = true
        let current = rowAt[column]
        var delta = Int64.max
        var next = -1
        for other in 0..<width where !used[other] {
          if let cost = cost(current, other) {
            let reduced = cost - u[current] - v[other]
            if reduced < least[other] {
              least[other] = reduced
              way[other] = column
            }
          }
          if least[other] < delta {
            delta = least[other]
            next = other
          }
        }
        for other in 0...width {
          if used[other] {
            u[rowAt[other]] += delta
            v[other] -= delta
          } else if other < width, least[other] != .max {
            least[other] -= delta
          }
        }
        column = next
      } while rowAt[column] >= 0
      repeat {
        let previous = way[column]
        rowAt[column] = rowAt[previous]
        column = previous
      } while column != start
    }
    var columnOf = [Int?](repeating: nil, count: rows)
    for column in 0..<columns where rowAt[column] >= 0 { columnOf[rowAt[column]] = column }
    // As a maximum of gains: prices are not negative, and zero where somebody stays alone.
    return (columnOf, u.map { bonus - $0 }, v[..<columns].map { -$0 })
  }

  // MARK: - The smallest among the optima

  private mutating func chooseLeast() {
    var fixedOrder = [Bool](repeating: false, count: orderCount)
    var fixedDriver = [Bool](repeating: false, count: driverCount)
    for order in 0..<orderCount {
      for edge in edges[order].sorted(by: { $0.driver < $1.driver })
      where !fixedDriver[edge.driver] && isTight(order, edge.driver) {
        if let present = driverOf[order], present <= edge.driver { break }
        if take(edge.driver, for: order, fixedOrder, fixedDriver) { break }
      }
      fixedOrder[order] = true
      if let driver = driverOf[order] { fixedDriver[driver] = true }
    }
  }

  /// Whether a pair occurs in an optimum.
  private func isTight(_ order: Int, _ driver: Int) -> Bool {
    guard let weight = weight[order][driver] else { return false }
    return priceOfOrder[order] + priceOfDriver[driver] == weight
  }

  /// Gives an order another driver if the rest can still be optimal; else changes nothing.
  private mutating func take(
    _ driver: Int, for order: Int, _ fixedOrder: [Bool], _ fixedDriver: [Bool]
  ) -> Bool {
    let before = (driverOf, orderOf)
    let (left, displaced) = (driverOf[order], orderOf[driver])
    if let left { orderOf[left] = nil }
    if let displaced { driverOf[displaced] = nil }
    driverOf[order] = driver
    orderOf[driver] = order
    var (noOrder, noDriver) = (fixedOrder, fixedDriver)
    noOrder[order] = true
    noDriver[driver] = true
    if let displaced, priceOfOrder[displaced] > 0, !coverOrder(displaced, noOrder, noDriver) {
      (driverOf, orderOf) = before
      return false
    }
    if let left, orderOf[left] == nil, priceOfDriver[left] > 0,
      !coverDriver(left, noOrder, noDriver)
    {
      (driverOf, orderOf) = before
      return false
    }
    return true
  }

  /// Matches an order over an alternating path of tight pairs to a driver who is alone, or in place of an order that may
  /// stay alone.
  private mutating func coverOrder(
    _ start: Int, _ noOrder: [Bool], _ noDriver: [Bool]
  ) -> Bool {
    var from = [Int?](repeating: nil, count: driverCount)
    var queue = [start]
    var next = 0
    while next < queue.count {
      let order = queue[next]
      next += 1
      for edge in edges[order]
      where !noDriver[edge.driver] && from[edge.driver] == nil && isTight(order, edge.driver) {
        from[edge.driver] = order
        let owner = orderOf[edge.driver]
        if let owner, noOrder[owner] { continue }
        if let owner, priceOfOrder[owner] > 0 {
          queue.append(owner)
          continue
        }
        if let owner { driverOf[owner] = nil }
        var driver = edge.driver
        while true {
          let order = from[driver]!
          let previous = driverOf[order]
          driverOf[order] = driver
          orderOf[driver] = order
          guard order != start, let previous else { return true }
          driver = previous
        }
      }
    }
    return false
  }

  /// The same from a driver's side.
  private mutating func coverDriver(
    _ start: Int, _ noOrder: [Bool], _ noDriver: [Bool]
  ) -> Bool {
    var from = [Int?](repeating: nil, count: orderCount)
    var queue = [start]
    var next = 0
    while next < queue.count {
      let driver = queue[next]
      next += 1
      for order in 0..<orderCount
      where !noOrder[order] && from[order] == nil && isTight(order, driver) {
        from[order] = driver
        let owner = driverOf[order]
        if let owner, noDriver[owner] { continue }
        if let owner, priceOfDriver[owner] > 0 {
          queue.append(owner)
          continue
        }
        if let owner { orderOf[owner] = nil }
        var order = order
        while true {
          let driver = from[order]!
          let previous = orderOf[driver]
          orderOf[driver] = order
          driverOf[order] = driver
          guard driver != start, let previous else { return true }
          order = previous
        }
      }
    }
    return false
  }
}
