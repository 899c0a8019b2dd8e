import AsiaTravelPlanContract
import Contracts
import Timekeeping

/// Invoices as the browser writes them (OP-16, 2.4).
extension AgencyTwin {
  mutating func addInvoice(
    _ asked: InvoiceDraft, as caller: Principal?, at now: Instant
  ) throws(AsiaTravelPlan.Refusal) -> AsiaTravelPlan.Reply {
    let number = try booking(asked.booking)
    try require(allows(.writeInvoices, caller, booking: number), or: .forbidden)
    let items = try items(asked.items ?? [])
    let booking = bookings[number].booking
    try require(customers.customer(booking.customerID) != nil, or: .bookingCustomerNotFound)
    let (moment, id) = (now.inMilliseconds, "inv_" + identifiers.text())
    let total = items.reduce(0) { $0 + $1.totalAmountCents }
    var invoice = Invoice(
      id: id, bookingID: booking.id, customerID: booking.customerID,
      invoiceNumber: asked.number.named ?? nextInvoiceNumber(), currency: currency(asked.currency),
      issueDate: asked.issueDate.named ?? String(moment.description.prefix(10)),
      dueDate: asked.dueDate.named, title: asked.title.named, notes: asked.notes.named,
      totalAmountCents: total, dueAmountCents: asked.dueAmountCents.positive ?? total,
      pdfURL: "/api/v1/invoices/\(id)/pdf", createdAt: moment, updatedAt: moment, items: items)
    invoice.mark(sent: asked.isSent ?? false, at: moment)
    note(invoiceNumber: invoice.invoiceNumber)
    bookings.change(number) { $0.invoices.append(invoice) }
    work.rowsWritten += 1
    return .invoice(invoice, isNew: true)
  }

  mutating func changeInvoice(
    _ asked: InvoiceDraft, as caller: Principal?, at now: Instant
  ) throws(AsiaTravelPlan.Refusal) -> AsiaTravelPlan.Reply {
    let number = try booking(asked.booking)
    try require(allows(.writeInvoices, caller, booking: number), or: .forbidden)
    let place = try require(
      bookings[number].invoices.firstIndex { $0.id == asked.invoice }, or: .invoiceNotFound)
    var invoice = bookings[number].invoices[place]
    if let items = asked.items {
      invoice.items = try self.items(items)
      invoice.totalAmountCents = invoice.items.reduce(0) { $0 + $1.totalAmountCents }
      invoice.dueAmountCents = invoice.totalAmountCents
    }
    invoice.dueAmountCents = asked.dueAmountCents.positive ?? invoice.dueAmountCents
    invoice.invoiceNumber = asked.number.named ?? invoice.invoiceNumber
    invoice.currency = asked.currency.map(currency) ?? invoice.currency
    invoice.issueDate = asked.issueDate.named ?? invoice.issueDate
    invoice.dueDate = asked.dueDate.named ?? invoice.dueDate
    invoice.title = asked.title.named ?? invoice.title
    invoice.notes = asked.notes.named ?? invoice.notes
    if asked.changesContent { invoice.version += 1 }
    invoice.updatedAt = now.inMilliseconds
    if let isSent = asked.isSent { invoice.mark(sent: isSent, at: now.inMilliseconds) }
    note(invoiceNumber: invoice.invoiceNumber)
    let changed = invoice
    bookings.change(number) { $0.invoices[place] = changed }
    work.rowsWritten += 1
    return .invoice(invoice, isNew: false)
  }

  /// More cannot be told apart by clients whose numbers are doubles.
  private static let mostCents = 1 << 53

  /// Those that say an amount.
  private mutating func items(
    _ asked: [InvoiceDraft.Item]
  ) throws(AsiaTravelPlan.Refusal) -> [Invoice.Item] {
    var (items, sum) = ([Invoice.Item](), 0)
    for item in asked {
      guard let amount = item.unitAmountCents.positive else { continue }
      let quantity = item.quantity.positive ?? 1
      let (total, isTooMuch) = amount.multipliedReportingOverflow(by: quantity)
      guard !isTooMuch, total <= Self.mostCents - sum else { continue }
      sum += total
      items.append(
        Invoice.Item(
          id: "inv_item_" + identifiers.text(), description: item.description?.trimmed ?? "",
          quantity: quantity, unitAmountCents: amount, totalAmountCents: total))
    }
    try require(!items.isEmpty, or: .itemRequired)
    return items
  }

  private func currency(_ text: String?) -> String {
    let word = text?.trimmed ?? ""
    let isOne = word.utf8.count == 3 && word.utf8.allSatisfy { (65...90).contains($0) }
    return isOne ? word : "USD"
  }

  private func nextInvoiceNumber() -> String {
    let digits = String(invoiceNumber + 1)
    return "ATP-" + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
  }

  mutating func note(invoiceNumber text: String?) {
    guard let text, text.hasPrefix("ATP-"), text.utf8.count == 10,
      let number = Int(text.dropFirst(4))
    else { return }
    invoiceNumber = max(invoiceNumber, number)
  }
}

extension Invoice {
  /// The first time stays, until it is taken back.
  fileprivate mutating func mark(sent isSent: Bool, at moment: Instant) {
    status = isSent ? "INVOICE_SENT" : "DRAFT"
    sentToCustomer = isSent
    sentToCustomerAt = isSent ? sentToCustomerAt ?? moment : nil
  }
}

extension String? {
  /// Trimmed; what is blank counts as left out.
  fileprivate var named: String? {
    guard let text = self?.trimmed, !text.isEmpty else { return nil }
    return text
  }
}

extension Int? {
  fileprivate var positive: Int? { flatMap { $0 > 0 ? $0 : nil } }
}
