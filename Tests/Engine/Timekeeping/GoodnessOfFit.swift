import CGSL

/// The Kolmogorov–Smirnov distance between draws and a distribution, times the square root of their number.
///
/// For many draws from the distribution itself it exceeds 1.949 once in a thousand times.
func kolmogorovSmirnov(_ draws: [Double], _ cumulative: (Double) -> Double) -> Double {
  let sorted = draws.sorted()
  let n = Double(sorted.count)
  var distance = 0.0
  for (index, draw) in sorted.enumerated() {
    let share = cumulative(draw)
    distance = max(distance, share - Double(index) / n, Double(index + 1) / n - share)
  }
  return distance * n.squareRoot()
}

let kolmogorovSmirnovCritical = 1.949

/// The p-value of Pearson's chi-square test of counts against probabilities of 0, 1, 2 …; cells are joined until each expects
/// at least ten.
func chiSquarePValue(_ draws: [Int], upTo largest: Int, _ probability: (Int) -> Double) -> Double {
  var counts = [Int](repeating: 0, count: largest + 2)
  for draw in draws { counts[min(draw, largest + 1)] += 1 }
  var cells: [(seen: Double, expected: Double)] = []
  var open = (seen: 0.0, expected: 0.0)
  var total = 0.0
  for value in 0...largest + 1 {
    let share = value <= largest ? probability(value) : max(0, 1 - total)
    total += share
    open.seen += Double(counts[value])
    open.expected += share * Double(draws.count)
    if open.expected >= 10 {
      cells.append(open)
      open = (0, 0)
    }
  }
  if cells.isEmpty { return 0 }
  cells[cells.count - 1].seen += open.seen
  cells[cells.count - 1].expected += open.expected
  let statistic = cells.reduce(0) {
    $0 + ($1.seen - $1.expected) * ($1.seen - $1.expected) / $1.expected
  }
  return gsl_cdf_chisq_Q(statistic, Double(cells.count - 1))
}
