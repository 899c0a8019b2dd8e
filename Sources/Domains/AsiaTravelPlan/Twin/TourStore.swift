import AsiaTravelPlanContract
import Contracts

/// The tours with what lists look at, brought up to date by each write: no list sorts them anew.
struct TourStore: Sendable {
  /// What a list is to show; what is empty lets everything through.
  struct Filter {
    private(set) var text: [UInt8]
    private(set) var destination: String
    private(set) var style: String

    init(_ asked: TourQuery) {
      func word(_ text: String?) -> String { (text ?? "").trimmed.lowercased() }
      (text, destination) = (Array(word(asked.search).utf8), word(asked.destination))
      style = word(asked.style)
    }
  }

  private struct Row: Sendable {
    let tour: Tour
    // In lower case, as all that lists compare.
    let title: String
    let destinations: [String]
    let styles: [String]
    let text: [UInt8]

    init(_ tour: Tour) {
      self.tour = tour
      title = tour.title.lowercased()
      destinations = tour.destinationCountries.map { $0.lowercased() }
      styles = tour.styles.map { $0.lowercased() }
      let texts = [tour.id, tour.title, tour.shortDescription] + tour.destinationCountries
      text = Array((texts + tour.styles).joined(separator: " ").lowercased().utf8)
    }
  }

  private var rows = Rows<String, Row> {
    Row(Tour(id: "", title: "", destinationCountries: [], styles: []))
  }
  /// Latest change first; of equal ones the one that came first, as in the other order.
  private var byChange: [Int] = []
  private var byTitle: [Int] = []
  /// All that tours are about, in the order of the letters.
  private(set) var options = TourOptions(destinations: [], styles: [])

  func known(_ id: String) -> Int? { rows.known(id) }
  subscript(number: Int) -> Tour { rows[number].tour }

  /// New ones, or other versions.
  mutating func set(_ tours: [Tour]) {
    for tour in tours { set(tour) }
    let all = rows.indices.map { rows[$0].tour }
    options = TourOptions(
      destinations: Set(all.flatMap(\.destinationCountries)).sorted(),
      styles: Set(all.flatMap(\.styles)).sorted())
  }

  private mutating func set(_ tour: Tour) {
    let number = rows.number(of: tour.id)
    byChange.removeAll { $0 == number }
    byTitle.removeAll { $0 == number }
    rows[number] = Row(tour)
    let rows = rows
    byChange.insert(
      number,
      at: byChange.partitioned {
        let (one, other) = (rows[$0].tour.updatedAt, tour.updatedAt)
        return one == other ? $0 > number : (one ?? .distantPast) < (other ?? .distantPast)
      })
    let title = rows[number].title
    byTitle.insert(
      number,
      at: byTitle.partitioned { rows[$0].title == title ? $0 > number : rows[$0].title > title })
  }

  func numbers(byTitle isByTitle: Bool) -> [Int] { isByTitle ? byTitle : byChange }

  func fits(_ number: Int, _ filter: Filter) -> Bool {
    (filter.destination.isEmpty || rows[number].destinations.contains(filter.destination))
      && (filter.style.isEmpty || rows[number].styles.contains(filter.style))
      && rows[number].text.holds(filter.text)
  }
}
