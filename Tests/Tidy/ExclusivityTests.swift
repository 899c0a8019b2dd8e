import Testing

/// A region goes through itself again and again: a twin's answer posts signals, concludes a call and is observed, one within the other.
/// Release builds do not check that nothing is changed while it is being changed (`Package.swift`); the build of the units does, and CI lives
/// whole worlds of every domain in it (`make test`).
@Suite struct `The build that units are tested in` {
  private final class Books { var requests = 0 }

  @Test func `ends a program that changes what is being changed`() async {
    let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let books = Books()
      func count(_ requests: inout Int) {
        books.requests += 1
        requests += 1
      }
      count(&books.requests)
    }
    let words = String(decoding: end?.standardErrorContent ?? [], as: UTF8.self)
    #expect(words.contains("Simultaneous accesses"), "\(words)")
  }
}
