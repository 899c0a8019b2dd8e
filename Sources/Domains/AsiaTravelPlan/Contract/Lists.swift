import Contracts

/// OP-02 with its list semantics (3.2): each is optional, and what cannot be read counts as left out.
public struct BookingQuery: Hashable, Sendable {
  public var page: Int?
  public var pageSize: Int?
  public var stage: String?
  public var ownerID: String?
  public var search: String?
  public var sort: String?

  public init(
    page: Int? = nil, pageSize: Int? = nil, stage: String? = nil, ownerID: String? = nil,
    search: String? = nil, sort: String? = nil
  ) {
    (self.page, self.pageSize, self.stage) = (page, pageSize, stage)
    (self.ownerID, self.search, self.sort) = (ownerID, search, sort)
  }

  /// The app's own (ATP-30).
  public static let app = BookingQuery(page: 1, pageSize: 20, sort: BookingOrder.newest.rawValue)

  static let shape = Shape(
    BookingQuery.init, Field("page", \.page, .wholeOrNone, in: .query),
    Field("page_size", \.pageSize, .wholeOrNone, in: .query),
    Field("stage", \.stage, .said, in: .query), Field("owner_id", \.ownerID, .said, in: .query),
    Field("search", \.search, .said, in: .query), Field("sort", \.sort, .said, in: .query))
}

/// The orders of a list of bookings (3.2); equal keys keep the order of insertion in each of them.
public enum BookingOrder: String, CaseIterable, Hashable, Sendable {
  case newest = "created_at_desc"
  case oldest = "created_at_asc"
  case latestChange = "updated_at_desc"
  case earliestDue = "sla_due_at_asc"
  case latestDue = "sla_due_at_desc"
}

/// Which part of a list is shown.
public struct PageExtent: Hashable, Sendable {
  public let page: Int
  public let size: Int

  /// 0 and what is left out mean the default, negative values count as 1, and there are bounds (3.2).
  public init(page: Int?, size: Int?) {
    self.page = Self.clamped(page, standard: 1, most: 100_000)
    self.size = Self.clamped(
      size, standard: AsiaTravelPlan.standardPerPage.value,
      most: AsiaTravelPlan.mostPerPage.value)
  }

  private static func clamped(_ value: Int?, standard: Int, most: Int) -> Int {
    guard let value, value != 0 else { return standard }
    return min(max(value, 1), most)
  }

  public var offset: Int { (page - 1) * size }

  /// At least one.
  public func pages(of total: Int) -> Int { max(1, (total + size - 1) / size) }
}

/// One page of a list with how many there are.
public struct Paged<Item: Hashable & Sendable>: Hashable, Sendable {
  public var items: [Item]
  public var total: Int
  public var page: Int
  public var pageSize: Int
  public var totalPages: Int

  public init(items: [Item], total: Int, page: Int, pageSize: Int, totalPages: Int) {
    (self.items, self.total, self.page) = (items, total, page)
    (self.pageSize, self.totalPages) = (pageSize, totalPages)
  }

  public init(_ items: [Item], of total: Int, _ extent: PageExtent) {
    self.init(
      items: items, total: total, page: extent.page, pageSize: extent.size,
      totalPages: extent.pages(of: total))
  }

  static func shape(_ item: Coding<Item>) -> Shape<Paged> {
    Shape(
      Paged.init, Field("items", \.items, .list(item)), Field("total", \.total, .int),
      Field("page", \.page, .int), Field("page_size", \.pageSize, .int),
      Field("total_pages", \.totalPages, .int))
  }
}

/// The answer to OP-02.
public struct BookingList: Hashable, Sendable {
  /// As applied; `nil` where one was not.
  public struct Filters: Hashable, Sendable {
    public var stage: Booking.Stage?
    public var ownerID: String?
    public var search: String?

    public init(stage: Booking.Stage? = nil, ownerID: String? = nil, search: String? = nil) {
      (self.stage, self.ownerID, self.search) = (stage, ownerID, search)
    }

    static let shape = Shape(
      Filters.init, Field("stage", \.stage, .optional(.word)),
      Field("owner_id", \.ownerID, .optional(.text)),
      Field("search", \.search, .optional(.text)))
  }

  public var page: Paged<Booking>
  /// An addition of the backend's to the contract, as `sort` is.
  public var filters: Filters?
  /// As received.
  public var sort: String?

  public init(_ page: Paged<Booking>, filters: Filters?, sort: String?) {
    (self.page, self.filters, self.sort) = (page, filters, sort)
  }

  static let shape = Shape(
    { BookingList($0, filters: $1, sort: $2) },
    Field(\.page, Paged.shape(Booking.shape.coding)),
    Field("filters", \.filters, .omittable(Filters.shape.coding)),
    Field("sort", \.sort, .omittable(.text)))
}

/// OP-15.
public struct CustomerQuery: Hashable, Sendable {
  public var page: Int?
  public var pageSize: Int?
  public var search: String?

  public init(page: Int? = nil, pageSize: Int? = nil, search: String? = nil) {
    (self.page, self.pageSize, self.search) = (page, pageSize, search)
  }

  static let shape = Shape(
    CustomerQuery.init, Field("page", \.page, .wholeOrNone, in: .query),
    Field("page_size", \.pageSize, .wholeOrNone, in: .query),
    Field("search", \.search, .said, in: .query))
}
