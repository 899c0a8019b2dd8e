import Contracts
import Timekeeping

/// 2.7; its members are in camel case, which no other document's are.
public struct Tour: Hashable, Sendable {
  public var id: String
  public var title: String
  public var shortDescription: String
  public var destinationCountries: [String]
  public var styles: [String]
  public var priority: Int
  public var durationDays: Int
  /// Whole US dollars.
  public var priceFrom: Int
  public var rating: Double
  public var seasonality: String
  public var highlights: [String]
  /// The path of its address.
  public var image: String
  public var legacyID: String?
  public var createdAt: Instant?
  public var updatedAt: Instant?

  public init(
    id: String, title: String, shortDescription: String = "", destinationCountries: [String],
    styles: [String], priority: Int = 50, durationDays: Int = 0, priceFrom: Int = 0,
    rating: Double = 0, seasonality: String = "", highlights: [String] = [], image: String = "",
    legacyID: String? = nil, createdAt: Instant? = nil, updatedAt: Instant? = nil
  ) {
    (self.id, self.title, self.shortDescription) = (id, title, shortDescription)
    (self.destinationCountries, self.styles, self.priority) = (
      destinationCountries, styles, priority
    )
    (self.durationDays, self.priceFrom, self.rating) = (durationDays, priceFrom, rating)
    (self.seasonality, self.highlights, self.image) = (seasonality, highlights, image)
    (self.legacyID, self.createdAt, self.updatedAt) = (legacyID, createdAt, updatedAt)
  }

  static let shape = Shape(
    Tour.init, Field("id", \.id, .text), Field("title", \.title, .text),
    Field("shortDescription", \.shortDescription, .text.otherwise("")),
    Field("destinationCountries", \.destinationCountries, .strings),
    Field("styles", \.styles, .strings), Field("priority", \.priority, .int.otherwise(50)),
    Field("durationDays", \.durationDays, .int.otherwise(0)),
    Field("priceFrom", \.priceFrom, .int.otherwise(0)),
    Field("rating", \.rating, .number.otherwise(0)),
    Field("seasonality", \.seasonality, .text.otherwise("")),
    Field("highlights", \.highlights, .strings.otherwise([])),
    Field("image", \.image, .text.otherwise("")),
    Field("legacy_id", \.legacyID, .omittable(.text)),
    Field("created_at", \.createdAt, .omittable(.instant)),
    Field("updated_at", \.updatedAt, .omittable(.instant)))
}

/// OP-14: a new tour, or a change of one, of which what is left out stays.
public struct TourDraft: Hashable, Sendable {
  /// Of the tour in the path; `nil` for a new one.
  public var tour: String?
  /// In the body: it cannot change.
  public var id: String?
  public var title: String?
  public var shortDescription: String?
  public var destinationCountries: [String]?
  public var styles: [String]?
  public var priority: Int?
  public var durationDays: Int?
  public var priceFrom: Int?
  public var rating: Double?
  public var seasonality: String?
  public var highlights: [String]?
  public var image: String?

  public init(
    tour: String? = nil, id: String? = nil, title: String? = nil,
    shortDescription: String? = nil, destinationCountries: [String]? = nil,
    styles: [String]? = nil, priority: Int? = nil, durationDays: Int? = nil,
    priceFrom: Int? = nil, rating: Double? = nil, seasonality: String? = nil,
    highlights: [String]? = nil, image: String? = nil
  ) {
    (self.tour, self.id, self.title) = (tour, id, title)
    (self.shortDescription, self.destinationCountries) = (shortDescription, destinationCountries)
    (self.styles, self.priority, self.durationDays) = (styles, priority, durationDays)
    (self.priceFrom, self.rating, self.seasonality) = (priceFrom, rating, seasonality)
    (self.highlights, self.image) = (highlights, image)
  }

  static let new = body

  static let change = Shape<TourDraft>(
    { tour, body in
      var draft = body
      draft.tour = tour
      return draft
    }, Field("tourId", { $0.tour ?? "" }, .text, in: .path), Field({ $0 }, body))

  private static let body = Shape<TourDraft>(
    { id, title, short, countries, styles, priority, days, price, rating, season, highs, image in
      TourDraft(
        id: id, title: title, shortDescription: short, destinationCountries: countries,
        styles: styles, priority: priority, durationDays: days, priceFrom: price, rating: rating,
        seasonality: season, highlights: highs, image: image)
    }, Field("id", \.id, .said), Field("title", \.title, .said),
    Field("shortDescription", \.shortDescription, .said),
    Field("destinationCountries", \.destinationCountries, .saidList),
    Field("styles", \.styles, .saidList), Field("priority", \.priority, .wholeOrNone),
    Field("durationDays", \.durationDays, .wholeOrNone),
    Field("priceFrom", \.priceFrom, .wholeOrNone), Field("rating", \.rating, .lenient(.number)),
    Field("seasonality", \.seasonality, .said), Field("highlights", \.highlights, .saidList),
    Field("image", \.image, .said))
}

/// OP-13.
public struct TourQuery: Hashable, Sendable {
  public var page: Int?
  public var pageSize: Int?
  public var search: String?
  public var destination: String?
  public var style: String?
  public var sort: String?

  public init(
    page: Int? = nil, pageSize: Int? = nil, search: String? = nil, destination: String? = nil,
    style: String? = nil, sort: String? = nil
  ) {
    (self.page, self.pageSize, self.search) = (page, pageSize, search)
    (self.destination, self.style, self.sort) = (destination, style, sort)
  }

  /// By title; any other word sorts by the latest change.
  public static let byTitle = "title_asc"
  public static let byChange = "updated_at_desc"

  static let shape = Shape(
    TourQuery.init, Field("page", \.page, .wholeOrNone, in: .query),
    Field("page_size", \.pageSize, .wholeOrNone, in: .query),
    Field("search", \.search, .said, in: .query),
    Field("destination", \.destination, .said, in: .query),
    Field("style", \.style, .said, in: .query), Field("sort", \.sort, .said, in: .query))
}

/// What there is to choose from.
public struct TourOptions: Hashable, Sendable {
  public var destinations: [String]
  public var styles: [String]

  public init(destinations: [String], styles: [String]) {
    (self.destinations, self.styles) = (destinations, styles)
  }

  static let ofList = Shape(
    TourOptions.init, Field("available_destinations", \.destinations, .strings.otherwise([])),
    Field("available_styles", \.styles, .strings.otherwise([])))

  /// Of what they consist the documents leave open (OP-13).
  static let ofDetail = Shape(
    TourOptions.init, Field("destinations", \.destinations, .strings.otherwise([])),
    Field("styles", \.styles, .strings.otherwise([])))
}

public struct TourList: Hashable, Sendable {
  public var page: Paged<Tour>
  public var options: TourOptions
  /// As received.
  public var sort: String?

  public init(_ page: Paged<Tour>, options: TourOptions, sort: String?) {
    (self.page, self.options, self.sort) = (page, options, sort)
  }

  static let shape = Shape(
    { TourList($0, options: $1, sort: $2) }, Field(\.page, Paged.shape(Tour.shape.coding)),
    Field(\.options, TourOptions.ofList), Field("sort", \.sort, .omittable(.text)))
}

public struct TourDetail: Hashable, Sendable {
  public var tour: Tour
  public var options: TourOptions?

  public init(tour: Tour, options: TourOptions?) { (self.tour, self.options) = (tour, options) }

  static let shape = Shape(
    TourDetail.init, Field("tour", \.tour, Tour.shape.coding),
    Field("options", \.options, .omittable(TourOptions.ofDetail.coding)))
}
