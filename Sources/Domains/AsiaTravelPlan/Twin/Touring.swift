import AsiaTravelPlanContract
import Contracts
import Timekeeping

/// Tours (OP-13, OP-14, 2.7).
extension AgencyTwin {
  func tours(
    _ asked: TourQuery, for caller: Principal?
  ) throws(AsiaTravelPlan.Refusal) -> AsiaTravelPlan.Reply {
    try require(allows(.tours, caller), or: .forbidden)
    let extent = PageExtent(page: asked.page, size: asked.pageSize)
    let wanted = Array((asked.search ?? "").trimmed.lowercased().utf8)
    let found = tours.indices.map { tours[$0] }.filter {
      $0.isIn(asked.destination, \.destinationCountries) && $0.isIn(asked.style, \.styles)
        && $0.text.holds(wanted)
    }
    let sort = asked.sort.flatMap { $0.isEmpty ? nil : $0 } ?? TourQuery.byChange
    let sorted = found.enumerated().sorted {
      let (a, b) = ($0.element, $1.element)
      if sort == TourQuery.byTitle {
        let (one, other) = (a.title.lowercased(), b.title.lowercased())
        return one != other ? one < other : $0.offset < $1.offset
      }
      let (one, other) = (a.updatedAt ?? .distantPast, b.updatedAt ?? .distantPast)
      return one != other ? one > other : $0.offset < $1.offset
    }.map(\.element)
    return .tours(
      TourList(
        Paged(Array(sorted.dropFirst(extent.offset).prefix(extent.size)), of: sorted.count, extent),
        options: options, sort: sort))
  }

  func tour(
    _ id: String, for caller: Principal?
  ) throws(AsiaTravelPlan.Refusal) -> AsiaTravelPlan.Reply {
    try require(allows(.tours, caller), or: .forbidden)
    let number = try require(tours.known(id), or: .tourNotFound)
    return .tour(TourDetail(tour: tours[number], options: options))
  }

  /// All that tours are about, in the order of the letters.
  private var options: TourOptions {
    let all = tours.indices.map { tours[$0] }
    return TourOptions(
      destinations: Set(all.flatMap(\.destinationCountries)).sorted(),
      styles: Set(all.flatMap(\.styles)).sorted())
  }

  mutating func addTour(
    _ asked: TourDraft, as caller: Principal?, at now: Instant
  ) throws(AsiaTravelPlan.Refusal) -> AsiaTravelPlan.Reply {
    try require(allows(.writeTours, caller), or: .forbidden)
    var tour = Tour(
      id: "tour_" + identifiers.text(), title: "", destinationCountries: [], styles: [],
      createdAt: now.inMilliseconds)
    try write(asked, to: &tour, at: now)
    return .tourWritten(tour, isNew: true)
  }

  mutating func changeTour(
    _ asked: TourDraft, as caller: Principal?, at now: Instant
  ) throws(AsiaTravelPlan.Refusal) -> AsiaTravelPlan.Reply {
    try require(allows(.writeTours, caller), or: .forbidden)
    let number = try require(tours.known(asked.tour ?? ""), or: .tourNotFound)
    var tour = tours[number]
    try require(asked.id.map { $0 == tour.id } ?? true, or: .tourIDFixed)
    try write(asked, to: &tour, at: now)
    return .tourWritten(tour, isNew: false)
  }

  private mutating func write(
    _ asked: TourDraft, to tour: inout Tour, at now: Instant
  ) throws(AsiaTravelPlan.Refusal) {
    tour.take(asked)
    try require(!tour.title.isEmpty, or: .titleRequired)
    try require(!tour.destinationCountries.isEmpty, or: .countriesRequired)
    try require(!tour.styles.isEmpty, or: .stylesRequired)
    tour.updatedAt = now.inMilliseconds
    let number = tours.number(of: tour.id)
    tours[number] = tour
    work.rowsWritten += 1
  }
}

extension Tour {
  fileprivate mutating func take(_ draft: TourDraft) {
    func texts(_ list: [String]?) -> [String]? {
      list.map { $0.map(\.trimmed).filter { !$0.isEmpty } }
    }
    title = draft.title?.trimmed ?? title
    shortDescription = draft.shortDescription?.trimmed ?? shortDescription
    destinationCountries = texts(draft.destinationCountries) ?? destinationCountries
    styles = texts(draft.styles) ?? styles
    priority = draft.priority ?? priority
    durationDays = draft.durationDays ?? durationDays
    priceFrom = draft.priceFrom ?? priceFrom
    rating = min(5, max(0, draft.rating ?? rating))
    seasonality = draft.seasonality?.trimmed ?? seasonality
    highlights = texts(draft.highlights) ?? highlights
    image = draft.image?.trimmed ?? image
  }

  /// Whether a filter names one of a list, in any case; none and an empty one name everything.
  fileprivate func isIn(_ wanted: String?, _ list: KeyPath<Tour, [String]>) -> Bool {
    guard let word = wanted?.trimmed.lowercased(), !word.isEmpty else { return true }
    return self[keyPath: list].contains { $0.lowercased() == word }
  }

  fileprivate var text: [UInt8] {
    Array(
      ([id, title, shortDescription] + destinationCountries + styles).joined(separator: " ")
        .lowercased().utf8)
  }
}
