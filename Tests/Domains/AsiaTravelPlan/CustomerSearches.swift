import AsiaTravelPlanContract
import Contracts
import Testing
import Timekeeping

@testable import AsiaTravelPlanTwin

@Suite struct `The book of customers` {
  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `finds by a search what a look at each would find, whatever changed meanwhile`(seed: UInt64)
  {
    var random = RandomStream(seed: seed, owner: 1, purpose: 0)
    var (book, plain) = (CustomerBook(), [Customer]())
    for _ in 0..<600 {
      let number = random.pick(0..<min(plain.count + 1, 40))
      let customer = Customer(
        id: "cust_\(number)", name: random.pick(["Ada", "Ben", "Beata"]),
        phone: random.chance(0.5) ? "17" : nil)
      if number == plain.count { plain.append(customer) } else { plain[number] = customer }
      book.set(customer)
      let wanted = random.pick(["", "a", "be", "17", "cust_1", "ada", "ben 17", "no", "t_4", "ata"])
      let extent = PageExtent(page: 1 + random.pick(0..<3), size: 1 + random.pick(0..<9))
      let found = plain.reversed().filter { customer in
        [customer.id, customer.name ?? "", "", customer.phone ?? ""].joined(separator: " ")
          .lowercased().contains(wanted) || wanted.isEmpty
      }
      let (page, total) = book.page(holding: Array(wanted.utf8), extent)
      #expect(total == found.count, "\(wanted), seed \(seed)")
      #expect(
        page == Array(found.dropFirst(extent.offset).prefix(extent.size)), "\(wanted), seed \(seed)"
      )
    }
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `knows the first who has an address or a phone, however many shared and changed it`(
    seed: UInt64
  ) throws {
    var random = RandomStream(seed: seed, owner: 2, purpose: 0)
    var (book, plain) = (CustomerBook(), [Customer]())
    for _ in 0..<600 {
      let number = random.pick(0..<min(plain.count + 1, 12))
      let customer = Customer(
        id: "cust_\(number)", email: random.pick([nil, "a@b.c", "d@e.f", "g@h.i"]),
        phone: random.pick([nil, "17", "(1) 7", "18", "none"]))
      if number == plain.count { plain.append(customer) } else { plain[number] = customer }
      book.set(customer)
      for email in ["a@b.c", "d@e.f", "g@h.i"] {
        try #require(
          book.match(Customer(id: "", email: email)) == plain.firstIndex { $0.email == email },
          "\(email), seed \(seed)")
      }
      for digits in ["17", "18"] {
        let first = plain.firstIndex { ($0.phone ?? "").filter(\.isNumber) == digits }
        try #require(
          book.match(Customer(id: "", phone: "+" + digits)) == first, "\(digits), seed \(seed)")
      }
    }
  }
}
