import Contracts

/// What is done, one after the other, with everything that is seen, as one closure.
///
/// A loop over an array of closures counts references to each of them each time. Here each is held by the closure that calls
/// it, and nobody counts.
final class Chain<Step: ChainedStep> {
  private var steps: [Step] = []
  /// `nil` where there are none, or not yet.
  private var whole: Step?
  private var isJoined = true

  var isEmpty: Bool { steps.isEmpty }

  func add(_ step: Step) {
    steps.append(step)
    isJoined = false
  }

  /// All of them as one; `nil` where there are none.
  @inline(__always)
  var joined: Step? {
    if !isJoined { join() }
    return whole
  }

  private func join() {
    whole = Self.joined(steps[...])
    isJoined = true
  }

  private static func joined(_ steps: ArraySlice<Step>) -> Step {
    func part(_ number: Int, of parts: Int) -> Step {
      let from = steps.startIndex + number * steps.count / parts
      let to = steps.startIndex + (number + 1) * steps.count / parts
      return joined(steps[from..<to])
    }
    switch steps.count {
    case 1: return steps[steps.startIndex]
    case 2, 3: return .joined(part(0, of: 2), part(1, of: 2))
    default:
      return .joined(part(0, of: 4), part(1, of: 4), part(2, of: 4), part(3, of: 4))
    }
  }
}

/// A closure with what it takes.
///
/// Each kind is a type of its own, whose closure takes what it takes: as a parameter of the chain it would be called through closures
/// that only pass on what they are handed, three for each step.
protocol ChainedStep {
  static func joined(_ first: Self, _ second: Self) -> Self
  static func joined(_ first: Self, _ second: Self, _ third: Self, _ fourth: Self) -> Self
}

/// Takes the record at hand, and the domain's view of it where it is a call: handed on, so that nobody counts references.
struct Visit<Contract: ServiceContract>: ChainedStep {
  let run: (Sight<Contract>, _ view: AnyObject?) -> Void

  static func joined(_ first: Self, _ second: Self) -> Self {
    Visit {
      first.run($0, $1)
      second.run($0, $1)
    }
  }

  static func joined(_ first: Self, _ second: Self, _ third: Self, _ fourth: Self) -> Self {
    Visit {
      first.run($0, $1)
      second.run($0, $1)
      third.run($0, $1)
      fourth.run($0, $1)
    }
  }
}

/// Takes a note, lent: it is found once a record, and copied for nobody.
struct NoteVisit<Contract: ServiceContract>: ChainedStep {
  let run: (Contract.Note, Sight<Contract>) -> Void

  static func joined(_ first: Self, _ second: Self) -> Self {
    NoteVisit {
      first.run($0, $1)
      second.run($0, $1)
    }
  }

  static func joined(_ first: Self, _ second: Self, _ third: Self, _ fourth: Self) -> Self {
    NoteVisit {
      first.run($0, $1)
      second.run($0, $1)
      third.run($0, $1)
      fourth.run($0, $1)
    }
  }
}

/// Takes a call, with facts.
struct AskedStep<Known: Facts>: ChainedStep {
  let run: (Known.Contract.Asked, Known) -> Void

  static func joined(_ first: Self, _ second: Self) -> Self {
    AskedStep {
      first.run($0, $1)
      second.run($0, $1)
    }
  }

  static func joined(_ first: Self, _ second: Self, _ third: Self, _ fourth: Self) -> Self {
    AskedStep {
      first.run($0, $1)
      second.run($0, $1)
      third.run($0, $1)
      fourth.run($0, $1)
    }
  }
}

/// Takes something else that facts tell of, or that comes with them.
struct LitStep<Seen, Known: Facts>: ChainedStep {
  let run: (Seen, Known) -> Void

  static func joined(_ first: Self, _ second: Self) -> Self {
    LitStep {
      first.run($0, $1)
      second.run($0, $1)
    }
  }

  static func joined(_ first: Self, _ second: Self, _ third: Self, _ fourth: Self) -> Self {
    LitStep {
      first.run($0, $1)
      second.run($0, $1)
      third.run($0, $1)
      fourth.run($0, $1)
    }
  }
}
