import Contracts

extension AsiaTravelPlan {
  /// Who asks, and for what: the columns of the matrix of rights (4.11).
  public enum Standing: Int, CaseIterable, Hashable, Sendable {
    case admin, manager, accountant
    /// Of `atp_staff`, by the booking in question: assigned to the caller's record, or to another or to none.
    case own, other
    /// Of `atp_staff` without a staff record.
    case unmapped
    /// A token without a role of the agency.
    case outsider
    /// No token, or none that is accepted.
    case anonymous

    /// As people call them.
    public var title: String {
      switch self {
      case .admin: "administrator"
      case .manager: "manager"
      case .accountant: "accountant"
      case .own: "staff, own booking"
      case .other: "staff, other booking"
      case .unmapped: "staff without record"
      case .outsider: "no role"
      case .anonymous: "no valid token"
      }
    }
  }

  /// What a caller may do: the rows of the matrix (4.11).
  public enum Right: Int, CaseIterable, Hashable, Sendable {
    case bootstrap, list, detail, stage, assign, activities, addActivity, invoices, directory
    case addStaff, me, tours, writeTours, customers, writeInvoices, requestTrip
  }

  /// One row of the matrix: who may, who may not, and which rule says so. The backend's guards, the report and the adversaries read it.
  public struct RightsRow: Sendable {
    /// One entry of the matrix.
    public struct Entry: Hashable, Sendable {
      public let isAllowed: Bool
      /// The rule that says so, with which switched off it is the other way round; `nil` where no rule says it by itself.
      public let rule: Rule?
      /// The difference of the project's own backend that allows it nevertheless (8.3).
      public let unless: Difference?

      public static let yes = Entry(isAllowed: true, rule: nil, unless: nil)
      public static func yes(_ rule: Rule) -> Entry {
        Entry(isAllowed: true, rule: rule, unless: nil)
      }
      public static func no(_ rule: Rule, unless: Difference? = nil) -> Entry {
        Entry(isAllowed: false, rule: rule, unless: unless)
      }
    }

    public let right: Right
    public let source: String
    /// The operations by their names.
    public let operations: [String]
    /// With which statuses they answer who may, in the order of the operations.
    public let statuses: [Int]
    /// By standing.
    public let entries: [Entry]

    /// - Parameter entries: Of callers with a role; all others are refused (ATP-08).
    init(
      _ right: Right, _ source: String, _ operations: [String], _ statuses: [Int],
      admin: Entry, manager: Entry, accountant: Entry, own: Entry, other: Entry, unmapped: Entry
    ) {
      (self.right, self.source) = (right, source)
      (self.operations, self.statuses) = (operations, statuses)
      entries = [admin, manager, accountant, own, other, unmapped, .no(.atp08), .no(.atp08)]
    }

    /// One that takes no credential.
    init(_ right: Right, _ source: String, _ operations: [String], _ statuses: [Int]) {
      (self.right, self.source) = (right, source)
      (self.operations, self.statuses) = (operations, statuses)
      entries = Standing.allCases.map { _ in .yes }
    }

    public func entry(_ standing: Standing) -> Entry { entries[standing.rawValue] }

    /// What the matrix says: the statuses with which it answers.
    public func statuses(_ standing: Standing) -> [Int] {
      if entry(standing).isAllowed { return statuses }
      return standing == .outsider || standing == .anonymous ? [401] : [403]
    }

    /// Whether a backend allows it that keeps some rules and differs in some ways.
    public func allows(
      _ standing: Standing, _ rules: Rules<Rule>, _ differences: Set<Difference>
    ) -> Bool {
      let entry = entries[standing.rawValue]
      if let unless = entry.unless, differences.contains(unless) { return true }
      guard let rule = entry.rule, !rules.binds(rule) else { return entry.isAllowed }
      return !entry.isAllowed
    }
  }

  /// The matrix of rights (4.11), in the order of `Right`.
  public static let rights: [RightsRow] = [
    RightsRow(.bootstrap, "OP-01", ["bootstrap"], [200]),
    RightsRow(
      .list, "OP-02", ["bookings"], [200], admin: .yes(.atp44), manager: .yes(.atp40),
      accountant: .yes(.atp46), own: .yes, other: .yes, unmapped: .no(.atp53)),
    RightsRow(
      .detail, "OP-03", ["booking"], [200], admin: .yes(.atp44), manager: .yes(.atp40),
      accountant: .yes(.atp46), own: .yes, other: .no(.atp36), unmapped: .no(.atp53)),
    RightsRow(
      .stage, "OP-04", ["changeStage"], [200], admin: .yes(.atp44), manager: .yes(.atp40),
      accountant: .yes(.atp48), own: .yes, other: .no(.atp37), unmapped: .no(.atp53)),
    RightsRow(
      .assign, "OP-05", ["assign"], [200], admin: .yes(.atp44), manager: .yes(.atp41),
      accountant: .no(.atp47, unless: .accountantAssigns), own: .no(.atp38), other: .no(.atp38),
      unmapped: .no(.atp38)),
    RightsRow(
      .activities, "OP-06", ["activities"], [200], admin: .yes(.atp44), manager: .yes(.atp40),
      accountant: .yes(.atp46), own: .yes, other: .no(.atp36), unmapped: .no(.atp53)),
    RightsRow(
      .addActivity, "OP-07", ["addActivity"], [201], admin: .yes(.atp44), manager: .yes(.atp40),
      accountant: .no(.atp47, unless: .accountantEdits), own: .yes, other: .no(.atp37),
      unmapped: .no(.atp53)),
    RightsRow(
      .invoices, "OP-08", ["invoices"], [200], admin: .yes(.atp44), manager: .yes(.atp40),
      accountant: .yes(.atp46), own: .yes, other: .no(.atp36), unmapped: .no(.atp53)),
    RightsRow(
      .directory, "OP-09", ["staff"], [200], admin: .yes, manager: .yes,
      accountant: .no(.atp50, unless: .accountantListsStaff), own: .no(.atp50),
      other: .no(.atp50), unmapped: .no(.atp50)),
    RightsRow(
      .addStaff, "OP-10", ["addStaff"], [201], admin: .yes(.atp44), manager: .yes(.atp42),
      accountant: .no(.atp11), own: .no(.atp11), other: .no(.atp11), unmapped: .no(.atp11)),
    RightsRow(
      .me, "OP-11", ["me"], [200], admin: .yes, manager: .yes, accountant: .yes, own: .yes,
      other: .yes, unmapped: .yes),
    RightsRow(
      .tours, "OP-13", ["tours", "tour"], [200, 200], admin: .yes(.atp45), manager: .no(.atp43),
      accountant: .yes(.atp49), own: .no(.atp39), other: .no(.atp39), unmapped: .no(.atp39)),
    RightsRow(
      .writeTours, "OP-14", ["addTour", "changeTour"], [201, 200], admin: .yes(.atp45),
      manager: .no(.atp43), accountant: .no(.atp49), own: .no(.atp39), other: .no(.atp39),
      unmapped: .no(.atp39)),
    RightsRow(
      .customers, "OP-15", ["customers", "customer"], [200, 200], admin: .yes, manager: .yes,
      accountant: .yes, own: .no(.atp11), other: .no(.atp11), unmapped: .no(.atp11)),
    RightsRow(
      .writeInvoices, "OP-16", ["addInvoice", "changeInvoice"], [201, 200], admin: .yes(.atp44),
      manager: .yes(.atp40), accountant: .no(.atp47), own: .yes, other: .no(.atp37),
      unmapped: .no(.atp53)),
    RightsRow(.requestTrip, "OP-17", ["requestTrip"], [201]),
  ]
}
