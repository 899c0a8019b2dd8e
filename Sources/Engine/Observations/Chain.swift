/// What is done, one after the other, with everything that is seen, as one closure.
///
/// A loop over an array of closures counts references to each of them each time. Here each is held by the closure that calls
/// it, and nobody counts.
final class Chain<Seen, Light> {
  typealias Step = (_ seen: Seen, _ light: Light) -> Void

  private var steps: [Step] = []
  /// `nil` where there are none, or not yet.
  private var whole: Step?
  private var isJoined = true

  var isEmpty: Bool { steps.isEmpty }

  func add(_ step: @escaping Step) {
    steps.append(step)
    isJoined = false
  }

  @inline(__always)
  func run(_ seen: Seen, _ light: Light) {
    if !isJoined { join() }
    whole?(seen, light)
  }

  private func join() {
    whole = Self.joined(steps[...])
    isJoined = true
  }

  private static func joined(_ steps: ArraySlice<Step>) -> Step {
    guard steps.count > 1 else { return steps[steps.startIndex] }
    let middle = steps.startIndex + steps.count / 2
    let (first, second) = (joined(steps[..<middle]), joined(steps[middle...]))
    return { seen, light in
      first(seen, light)
      second(seen, light)
    }
  }
}
