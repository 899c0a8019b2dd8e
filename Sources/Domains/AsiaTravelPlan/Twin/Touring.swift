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
    let sort = asked.sort.flatMap { $0.isEmpty ? nil : $0 } ?? TourQuery.byChange
    let wanted = TourStore.Filter(asked)
    let found = tours.numbers(byTitle: sort == TourQuery.byTitle).filter { tours.fits($0, wanted) }
    let shown = found.dropFirst(extent.offset).prefix(extent.size).map { tours[$0] }
    return .tours(
      TourList(Paged(shown, of: found.count, extent), options: tours.options, sort: sort))
  }

  func tour(
    _ id: String, for caller: Principal?
  ) throws(AsiaTravelPlan.Refusal) -> AsiaTravelPlan.Reply {
    try require(allows(.tours, caller), or: .forbidden)
    let number = try require(tours.known(id), or: .tourNotFound)
    return .tour(TourDetail(tour: tours[number], options: tours.options))
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
    tours.set([tour])
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
}
