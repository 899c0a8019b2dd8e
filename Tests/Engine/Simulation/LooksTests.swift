import Contracts
import Testing

@testable import Simulation

@Suite struct `Looks at the cells of a region` {
  /// Asks for what follows the last that was seen.
  private static let backend = {
    var backend = ToyBackend(persons: { _ in [] })
    backend.looks = { last in if case .seen(let count)? = last { .work(rows: count) } else { .look }
    }
    return backend
  }()

  @Test func `each goes on from what the last one of its cell brought`() {
    var looks = Looks(Self.backend, cells: 2)
    #expect(looks.next(at: 0) == .look && looks.next(at: 1) == .look)
    looks.take(.seen(7), of: 1)
    #expect(looks.next(at: 0) == .look && looks.next(at: 1) == .work(rows: 7))
  }

  @Test func `a server is asked one at a time, and what was wanted meanwhile follows once`() {
    var looks = Looks(Self.backend, cells: 1)
    let asked = [looks.begin(), looks.begin(), looks.begin()]
    #expect(asked == [.look, nil, nil])
    looks.take(.seen(3), of: 0)
    let follows = looks.end()
    #expect(follows, "another has to follow")
    let next = looks.begin()
    #expect(next == .work(rows: 3))
    let isAll = !looks.end()
    #expect(isAll)
    let again = looks.begin()
    #expect(again == .work(rows: 3), "one that failed is asked again")
  }

  @Test func `where there is nothing to see nobody looks`() {
    var backend = Self.backend
    backend.looks = { _ in nil }
    var looks = Looks(backend, cells: 1)
    #expect(looks.next(at: 0) == nil)
    let (asked, follows) = (looks.begin(), looks.end())
    #expect(asked == nil && !follows)
  }
}
