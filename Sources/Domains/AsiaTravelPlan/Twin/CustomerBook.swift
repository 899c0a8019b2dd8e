import AsiaTravelPlanContract
import Contracts

/// The customers, and who of them an enquiry may be from (ATP-90).
struct CustomerBook: Sendable {
  struct Row: Sendable {
    var customer = Customer(id: "")
    /// What a search looks through, in lower case.
    var text: [UInt8] = []
    /// By their numbers.
    var bookings: [Int] = []
  }

  private var rows = Rows<String, Row> { Row() }
  private var byEmail = FirstOwners()
  private var byPhone = FirstOwners()
  /// By the thirds of names: of two names that few edits part one third is the same.
  private var byThird: [Third: [Int]] = [:]
  /// The latest searches, with whom they find, oldest first: an office looks for the same again and again.
  private var searches: [(wanted: [UInt8], found: [Int])] = []
  private static let mostSearches = 8

  private struct Third: Hashable, Sendable {
    /// Of the whole name.
    let length: Int
    let place: Int
    /// Its letters, folded: whoever has the same fold is compared letter by letter.
    let fold: UInt64

    init(_ place: Int, ofLength length: Int, _ letters: ArraySlice<Unicode.Scalar>) {
      (self.length, self.place) = (length, place)
      fold = letters.reduce(0) { ($0 ^ UInt64($1.value)) &* 0x9e37_79b9_7f4a_7c15 }
    }
  }

  var indices: Range<Int> { rows.indices }
  subscript(number: Int) -> Row { rows[number] }
  func customer(_ id: String) -> Customer? { rows.known(id).map { rows[$0].customer } }

  mutating func note(booking: Int, of id: String) {
    if let number = rows.known(id) { rows[number].bookings.append(booking) }
  }

  mutating func set(_ customer: Customer) {
    let number = rows.number(of: customer.id)
    let before = rows[number].customer
    rows[number].customer = customer
    describe(number)
    byEmail.move(number, from: Self.email(before), to: Self.email(customer))
    byPhone.move(number, from: Self.digits(before), to: Self.digits(customer))
    let name = Self.name(customer)
    guard Self.lengths.contains(name.count), name != Self.name(before) else { return }
    for place in 0..<3 {
      byThird[Self.third(place, of: name), default: []].append(number)
    }
  }

  /// Who has the same e-mail, else the same digits of a phone, else nearly the same name.
  func match(_ asked: Customer) -> Int? {
    byEmail[Self.email(asked)] ?? byPhone[Self.digits(asked)] ?? named(Self.name(asked))
  }

  // MARK: Searching

  private mutating func describe(_ number: Int) {
    let customer = rows[number].customer
    let words = [customer.id, customer.name ?? "", customer.email ?? "", customer.phone ?? ""]
    rows[number].text = Array(words.joined(separator: " ").lowercased().utf8)
    for index in searches.indices {
      let place = searches[index].found.partitioned { $0 >= number }
      let isFound = searches[index].found[place...].first == number
      if isFound == rows[number].text.holds(searches[index].wanted) { continue }
      if isFound {
        searches[index].found.remove(at: place)
      } else {
        searches[index].found.insert(number, at: place)
      }
    }
  }

  /// The customers whose text holds another, the newest first: a page of them, and how many there are.
  mutating func page(holding wanted: [UInt8], _ extent: PageExtent) -> (
    page: [Customer], total: Int
  ) {
    let kept = searches.first { $0.wanted == wanted }?.found
    let found = kept ?? rows.indices.filter { rows[$0].text.holds(wanted) }
    if kept == nil {
      if searches.count == Self.mostSearches { searches.removeFirst() }
      searches.append((wanted, found))
    }
    let page = found.dropLast(extent.offset).suffix(extent.size)
    return (page.reversed().map { rows[$0].customer }, found.count)
  }

  // MARK: Comparing

  /// Longer texts are no names: comparing them takes the square of their lengths.
  private static let lengths = AsiaTravelPlan.shortestName.value...200
  private static let mostEdits = AsiaTravelPlan.mostEdits.value

  private static func email(_ customer: Customer) -> String {
    customer.email?.trimmed.lowercased() ?? ""
  }

  private static func digits(_ customer: Customer) -> String {
    String(decoding: (customer.phone ?? "").utf8.filter { (48...57).contains($0) }, as: UTF8.self)
  }

  private static func name(_ customer: Customer) -> [Unicode.Scalar] {
    Array((customer.name?.trimmed.lowercased() ?? "").unicodeScalars)
  }

  /// From where to where a third of a name of this length goes.
  private static func range(_ place: Int, of length: Int) -> Range<Int> {
    (place * length / 3)..<((place + 1) * length / 3)
  }

  private static func third(_ place: Int, of name: [Unicode.Scalar]) -> Third {
    Third(place, ofLength: name.count, name[range(place, of: name.count)])
  }

  /// The first customer whose name that many edits part from this one at most.
  private func named(_ name: [Unicode.Scalar]) -> Int? {
    guard Self.lengths.contains(name.count) else { return nil }
    var found: Int?
    let near = (name.count - Self.mostEdits)...(name.count + Self.mostEdits)
    for length in near.clamped(to: Self.lengths) {
      for place in 0..<3 {
        let range = Self.range(place, of: length)
        for shift in -Self.mostEdits...Self.mostEdits {
          let (from, to) = (range.lowerBound + shift, range.upperBound + shift)
          guard from >= 0, to <= name.count else { continue }
          let third = Third(place, ofLength: length, name[from..<to])
          for number in byThird[third] ?? [] where number < found ?? .max {
            let other = Self.name(rows[number].customer)
            if Self.lengths.contains(other.count), Self.isNear(name, other) { found = number }
          }
        }
      }
    }
    return found
  }

  /// Whether few edits part two names (the Levenshtein distance: insertions, deletions and substitutions). Farther from the diagonal than
  /// that there are more of them in any case.
  private static func isNear(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Bool {
    guard abs(a.count - b.count) <= mostEdits else { return false }
    var row = Array(0...b.count)
    for (i, letter) in a.enumerated() {
      let near = max(0, i - mostEdits)..<min(b.count, i + mostEdits + 1)
      var diagonal = row[near.lowerBound]
      row[near.lowerBound] = near.lowerBound == 0 ? i + 1 : mostEdits + 1
      var least = row[near.lowerBound]
      for j in near {
        let cost = diagonal + (letter == b[j] ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(cost, diagonal + 1, row[j] + 1)
        least = min(least, row[j + 1])
      }
      if least > mostEdits { return false }
    }
    return row[b.count] <= mostEdits
  }
}

/// Who is the first to have an address or a phone: several may share one.
private struct FirstOwners: Sendable {
  private var first: [String: Int] = [:]
  /// In their order; of few words.
  private var others: [String: [Int]] = [:]

  subscript(word: String) -> Int? { first[word] }

  mutating func move(_ number: Int, from old: String, to new: String) {
    guard old != new else { return }
    remove(number, from: old)
    guard !new.isEmpty else { return }
    guard let known = first[new] else {
      first[new] = number
      return
    }
    first[new] = min(known, number)
    let later = max(known, number)
    let place = others[new, default: []].partitioned { $0 >= later }
    others[new, default: []].insert(later, at: place)
  }

  private mutating func remove(_ number: Int, from word: String) {
    guard first[word] == number else {
      others[word]?.removeAll { $0 == number }
      return
    }
    first[word] = others[word]?.first
    if first[word] != nil { others[word]?.removeFirst() }
  }
}

/// Customers as the office reads them (OP-15).
extension AgencyTwin {
  mutating func customers(
    _ asked: CustomerQuery, for caller: Principal?
  ) throws(AsiaTravelPlan.Refusal) -> AsiaTravelPlan.Reply {
    try require(allows(.customers, caller), or: .forbidden)
    let extent = PageExtent(page: asked.page, size: asked.pageSize)
    let wanted = Array((asked.search ?? "").trimmed.lowercased().utf8)
    let (page, total) = customers.page(holding: wanted, extent)
    return .customers(Paged(page, of: total, extent))
  }

  func customer(
    _ id: String, for caller: Principal?
  ) throws(AsiaTravelPlan.Refusal) -> AsiaTravelPlan.Reply {
    try require(allows(.customers, caller), or: .forbidden)
    return .customer(try require(customers.customer(id), or: .customerNotFound))
  }
}
