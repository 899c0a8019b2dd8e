import Contracts
import Timekeeping

/// 2.4; amounts are whole cents.
public struct Invoice: Hashable, Sendable {
  public struct Item: Hashable, Sendable {
    public var id: String
    public var description: String
    public var quantity: Int
    public var unitAmountCents: Int
    public var totalAmountCents: Int

    public init(
      id: String, description: String, quantity: Int, unitAmountCents: Int, totalAmountCents: Int
    ) {
      (self.id, self.description, self.quantity, self.unitAmountCents, self.totalAmountCents) = (
        id, description, quantity, unitAmountCents, totalAmountCents
      )
    }

    static let shape = Shape(
      Item.init, Field("id", \.id, .text), Field("description", \.description, .text),
      Field("quantity", \.quantity, .int), Field("unit_amount_cents", \.unitAmountCents, .int),
      Field("total_amount_cents", \.totalAmountCents, .int))
  }

  public var id: String
  public var bookingID: String
  public var customerID: String?
  public var invoiceNumber: String?
  public var version: Int
  public var status: String
  public var currency: String
  public var issueDate: String?
  public var dueDate: String?
  public var title: String?
  public var notes: String?
  public var sentToCustomer: Bool
  public var sentToCustomerAt: Instant?
  public var totalAmountCents: Int
  public var dueAmountCents: Int
  public var pdfURL: String?
  public var createdAt: Instant?
  public var updatedAt: Instant?
  public var items: [Item]

  public init(
    id: String, bookingID: String, customerID: String? = nil, invoiceNumber: String? = nil,
    version: Int = 1, status: String = "DRAFT", currency: String = "USD",
    issueDate: String? = nil, dueDate: String? = nil, title: String? = nil, notes: String? = nil,
    sentToCustomer: Bool = false, sentToCustomerAt: Instant? = nil, totalAmountCents: Int,
    dueAmountCents: Int, pdfURL: String? = nil, createdAt: Instant? = nil,
    updatedAt: Instant? = nil, items: [Item] = []
  ) {
    (
      self.id, self.bookingID, self.customerID, self.invoiceNumber, self.version, self.status,
      self.currency, self.issueDate, self.dueDate, self.title, self.notes, self.sentToCustomer,
      self.sentToCustomerAt, self.totalAmountCents, self.dueAmountCents, self.pdfURL,
      self.createdAt, self.updatedAt, self.items
    ) = (
      id, bookingID, customerID, invoiceNumber, version, status, currency, issueDate, dueDate,
      title, notes, sentToCustomer, sentToCustomerAt, totalAmountCents, dueAmountCents, pdfURL,
      createdAt, updatedAt, items
    )
  }

  /// The items are the backend's own addition to the contract.
  static let shape = Shape(
    Invoice.init, Field("id", \.id, .text), Field("booking_id", \.bookingID, .text),
    Field("customer_id", \.customerID, .optional(.text)),
    Field("invoice_number", \.invoiceNumber, .optional(.text)), Field("version", \.version, .int),
    Field("status", \.status, .text), Field("currency", \.currency, .text),
    Field("issue_date", \.issueDate, .optional(.text)),
    Field("due_date", \.dueDate, .optional(.text)), Field("title", \.title, .optional(.text)),
    Field("notes", \.notes, .optional(.text)),
    Field("sent_to_customer", \.sentToCustomer, .flag),
    Field("sent_to_customer_at", \.sentToCustomerAt, .optional(.instant)),
    Field("total_amount_cents", \.totalAmountCents, .int),
    Field("due_amount_cents", \.dueAmountCents, .int),
    Field("pdf_url", \.pdfURL, .optional(.text)),
    Field("created_at", \.createdAt, .optional(.instant)),
    Field("updated_at", \.updatedAt, .optional(.instant)),
    Field("items", \.items, .list(Item.shape.coding).otherwise([])))
}

/// OP-16: a new invoice, or a change of one, of which what is left out stays. Whatever is none of its kind counts as left out.
public struct InvoiceDraft: Hashable, Sendable {
  public struct Item: Hashable, Sendable {
    public var description: String?
    public var quantity: Int?
    public var unitAmountCents: Int?

    public init(_ description: String?, quantity: Int? = nil, unitAmountCents: Int?) {
      (self.description, self.quantity) = (description, quantity)
      self.unitAmountCents = unitAmountCents
    }

    static let shape = Shape(
      { Item($0, quantity: $1, unitAmountCents: $2) },
      Field("description", \.description, .said), Field("quantity", \.quantity, .wholeOrNone),
      Field("unit_amount_cents", \.unitAmountCents, .wholeOrNone))
  }

  public var booking: String
  /// `nil` for a new one.
  public var invoice: String?
  public var number: String?
  public var currency: String?
  public var issueDate: String?
  public var dueDate: String?
  public var title: String?
  public var notes: String?
  public var dueAmountCents: Int?
  public var isSent: Bool?
  public var items: [Item]?

  public init(
    booking: String, invoice: String? = nil, number: String? = nil, currency: String? = nil,
    issueDate: String? = nil, dueDate: String? = nil, title: String? = nil, notes: String? = nil,
    dueAmountCents: Int? = nil, isSent: Bool? = nil, items: [Item]? = nil
  ) {
    (self.booking, self.invoice, self.number, self.currency) = (booking, invoice, number, currency)
    (self.issueDate, self.dueDate, self.title, self.notes) = (issueDate, dueDate, title, notes)
    (self.dueAmountCents, self.isSent, self.items) = (dueAmountCents, isSent, items)
  }

  /// Whether it says something of the invoice beside whether it was sent.
  public var changesContent: Bool {
    number != nil || currency != nil || issueDate != nil || dueDate != nil || title != nil
      || notes != nil || dueAmountCents != nil || items != nil
  }

  static let new = Shape<InvoiceDraft>(
    { booking, body in
      var draft = body
      draft.booking = booking
      return draft
    }, Field("bookingId", \.booking, .text, in: .path), Field({ $0 }, body))

  static let change = Shape<InvoiceDraft>(
    { booking, invoice, body in
      var draft = body
      (draft.booking, draft.invoice) = (booking, invoice)
      return draft
    }, Field("bookingId", \.booking, .text, in: .path),
    Field("invoiceId", { $0.invoice ?? "" }, .text, in: .path), Field({ $0 }, body))

  private static let body = Shape<InvoiceDraft>(
    { number, currency, issue, due, title, notes, amount, isSent, items in
      InvoiceDraft(
        booking: "", number: number, currency: currency, issueDate: issue, dueDate: due,
        title: title, notes: notes, dueAmountCents: amount, isSent: isSent, items: items)
    }, Field("invoice_number", \.number, .said), Field("currency", \.currency, .said),
    Field("issue_date", \.issueDate, .said), Field("due_date", \.dueDate, .said),
    Field("title", \.title, .said), Field("notes", \.notes, .said),
    Field("due_amount_cents", \.dueAmountCents, .wholeOrNone),
    Field("sent_to_customer", \.isSent, .flagOrNone),
    Field("items", \.items, .lenient(.list(Item.shape.coding))))
}
