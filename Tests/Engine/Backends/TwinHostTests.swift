import Backends
import Contracts
import Testing
import Timekeeping

/// A twin whose tickets and bells the test says by name.
private struct Bells: Twin {
  typealias Contract = Toy
  var due: [Instant] = []
  var abandoned: [Ticket] = []

  var nextDue: Instant? { due.min() }

  mutating func handle(
    _ request: Toy.Request, from caller: Caller<Toy>, at now: Instant
  ) -> Handled<Toy> {
    switch request {
    case .work(let rows): due.append(now + .seconds(Int64(rows)))
    case .look: return .replied(.seen(abandoned.count))
    default: break
    }
    return .replied(.done)
  }

  mutating func advance(to now: Instant) -> Effects<Toy> {
    let rung = due.filter { $0 <= now }
    due.removeAll { $0 <= now }
    return Effects(
      completions: rung.enumerated().map {
        Completion(Ticket(UInt64($0.offset)), .success(.rang($0.element)))
      })
  }

  mutating func abandon(_ ticket: Ticket) { abandoned.append(ticket) }
  func publication(at now: Instant) -> Int? { due.count }
  mutating func read(_ publications: [Int]) {}
}

@Suite struct `The host of a twin` {
  private let host = TwinHost<Bells, String>(Bells())

  private func bell(after seconds: Int, in host: inout TwinHost<Bells, String>) {
    _ = host.twin.handle(.work(rows: seconds), from: .client(nil), at: epoch)
  }

  @Test func `a timer is wound once, anew when something is due earlier, and rings in vain then`() {
    var host = host
    #expect(host.wind(at: epoch) == nil)
    bell(after: 10, in: &host)
    #expect(host.wind(at: epoch) == epoch + .seconds(10))
    #expect(host.wind(at: epoch) == nil)
    bell(after: 4, in: &host)
    #expect(host.wind(at: epoch) == epoch + .seconds(4))
    #expect(host.ring(at: epoch + .seconds(4))?.completions.count == 1)
    // The ring of the later bell was asked for before, and is asked for again: one of the two rings in vain.
    #expect(host.wind(at: epoch + .seconds(4)) == epoch + .seconds(10))
    #expect(host.ring(at: epoch + .seconds(10))?.completions.count == 1)
    #expect(host.ring(at: epoch + .seconds(10)) == nil)
    #expect(host.wind(at: epoch + .seconds(10)) == nil)
  }

  @Test func `what is due already is wound for now, never for the past`() {
    var host = host
    bell(after: 1, in: &host)
    #expect(host.wind(at: epoch + .seconds(3)) == epoch + .seconds(3))
    #expect(host.advance(to: epoch) == nil)
    #expect(host.nextDue == epoch + .seconds(1))
    #expect(host.advance(to: epoch + .seconds(3))?.completions.count == 1)
  }

  @Test func `a ticket is answered once, and to nobody after it was given up`() {
    var host = host
    host.keep("anna", for: Ticket(1), until: epoch + .seconds(9))
    host.keep("bram", for: Ticket(2), until: epoch + .seconds(9))
    #expect(host.isWaiting(for: Ticket(1)))
    #expect(host.complete(Ticket(1)) == "anna")
    #expect(host.complete(Ticket(1)) == nil && !host.isWaiting(for: Ticket(1)))
    host.abandon(Ticket(2))
    #expect(host.complete(Ticket(2)) == nil)
    #expect(shown(by: &host) == 1)
  }

  @Test func `whose patience ends is told in the order in which they came, and the twin with them`()
  {
    var host = host
    for number in (0..<40).reversed() {
      let patience = Span.seconds(number % 2 == 0 ? 5 : 7)
      host.keep("\(number)", for: Ticket(UInt64(number)), until: epoch + patience)
    }
    #expect(host.nextDeadline == epoch + .seconds(5))
    #expect(host.expire(at: epoch + .seconds(4)).isEmpty)
    let expired = host.expire(at: epoch + .seconds(5)).map(\.client)
    #expect(expired == (0..<40).reversed().filter { $0 % 2 == 0 }.map(String.init))
    #expect(shown(by: &host) == 20)
    #expect(
      host.clients.map(\.client) == (0..<40).reversed().filter { $0 % 2 == 1 }.map(String.init))
    #expect(host.nextDeadline == epoch + .seconds(7))
  }

  @Test func `a copy goes its own way`() {
    var host = host
    host.keep("anna", for: Ticket(1), until: epoch)
    bell(after: 2, in: &host)
    var other = host
    _ = other.complete(Ticket(1))
    _ = other.advance(to: epoch + .hours(1))
    #expect(host.isWaiting(for: Ticket(1)) && host.nextDue == epoch + .seconds(2))
    #expect(host.publication(at: epoch) == 1 && other.publication(at: epoch) == 0)
  }

  /// How many tickets the twin was told that nobody waits for.
  private func shown(by host: inout TwinHost<Bells, String>) -> Int? {
    guard
      case .now(.success(.seen(let count))) = host.twin.handle(.look, from: .harness, at: epoch)
        .answer
    else { return nil }
    return count
  }
}

/// A twin that is due and never does it.
private struct Sleepyhead: Twin {
  typealias Contract = Toy
  var nextDue: Instant? { epoch }

  mutating func handle(
    _ request: Toy.Request, from caller: Caller<Toy>, at now: Instant
  ) -> Handled<Toy> { .replied(.done) }
  func publication(at now: Instant) -> Int? { nil }
  mutating func read(_ publications: [Int]) {}
}

@Suite struct `A twin that stays due` {
  @Test func `ends the program in place of being told for ever`() async {
    let end = await #expect(processExitsWith: .exitCode(70), observing: [\.standardErrorContent]) {
      var host = TwinHost<Sleepyhead, String>(Sleepyhead())
      _ = host.advance(to: epoch)
    }
    let words = String(decoding: end?.standardErrorContent ?? [], as: UTF8.self)
    #expect(words.contains("nextDue is still \(epoch)"))
  }
}
