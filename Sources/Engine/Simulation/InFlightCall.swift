import Contracts
import Journeys
import Observations
import Timekeeping

/// One request under way from a person to its backend and back: a class, since it goes through the queue and its request is large.
final class InFlightCall<Contract: ServiceContract> {
  typealias Waiter = UnsafeContinuation<Outcome<Contract>?, Never>

  let person: Person<Contract>
  /// What becomes its record: what was asked, and in the end how that went.
  let asked: Call<Contract>
  /// When the client gives up.
  var deadline: Instant
  /// What the transport says of it: when it left, its way there (and the same back), where its time went.
  var sent: Instant
  var way = Span.zero
  /// `nil` where nothing is modelled.
  var passage: Passage?
  /// In real time its number among the region's calls.
  var number: Int?

  /// The journey that waits for its outcome by itself.
  private var waiter: Waiter?
  /// The question that it is part of, where a journey waits for several.
  private let question: Question<Contract>?
  private(set) var isConcluded = false
  /// A journey that asked for it by itself goes on, or is over.
  private(set) var isResumed = false

  /// - Parameters:
  ///   - intended: When it should leave; it does when it is sent.
  ///   - patience: How long its client waits from when it leaves.
  ///   - question: Where it is one of several that were asked together.
  init(
    _ request: Contract.Request, _ credential: Contract.Credential?, attempt: Int = 1,
    of person: Person<Contract>, in question: Question<Contract>? = nil,
    operation: Int, intended: Instant, sent: Instant, patience: Span
  ) {
    asked = Call(
      request: request, operation: operation, credential: credential, intended: intended,
      sent: intended, answered: intended, outcome: .unknown(.runEnded), attempt: attempt)
    self.person = person
    self.question = question
    self.sent = sent
    deadline = sent + patience
    question?.add(self)
  }

  var request: Contract.Request { _read { yield asked.request } }
  var credential: Contract.Credential? { _read { yield asked.credential } }
  var operation: Int { asked.operation }
  /// The faults that it met.
  var met: FaultsMet {
    get { asked.met }
    set { asked.met = newValue }
  }
  /// When it should leave: the person's own time.
  var intended: Instant { asked.intended }

  /// Its outcome is known.
  ///
  /// - Returns: When the journey that asked may go on; `nil` while it waits for others.
  func conclude(_ outcome: consuming Outcome<Contract>, at answered: Instant) -> Instant? {
    precondition(!isConcluded, "a request has one outcome")
    isConcluded = true
    asked.conclude(outcome, sent: sent, answered: answered)
    guard let question else { return answered }
    return question.conclude(at: answered)
  }

  /// The journey that asked for it by itself waits from now on.
  func wait(_ waiter: Waiter) {
    precondition(!isResumed, "a journey waits for what it was told")
    self.waiter = waiter
  }

  /// The journey that waits for it goes on, by an instant at the earliest; it is resumed once.
  func resume(at instant: Instant) {
    if let question { return question.resume(person, at: instant) }
    guard !isResumed else { return }
    isResumed = true
    person.now = max(person.now, instant)
    waiter.take()?.resume(returning: asked.outcome)
  }

  /// The journey that waits for it is over.
  func abandon() {
    if let question { return question.abandon() }
    isResumed = true
    waiter.take()?.resume(returning: nil)
  }
}

/// Several requests of a journey that waits for all their outcomes.
final class Question<Contract: ServiceContract> {
  typealias Waiter = UnsafeContinuation<[Outcome<Contract>]?, Never>

  private var waiter: Waiter?
  private var calls: [InFlightCall<Contract>] = []
  private var open: Int
  private var latest = Instant.distantPast

  init(of count: Int, resuming waiter: Waiter) {
    self.waiter = waiter
    open = count
  }

  fileprivate func add(_ call: InFlightCall<Contract>) { calls.append(call) }

  /// One more outcome is known.
  ///
  /// - Returns: When the last of them was known, once all are.
  fileprivate func conclude(at instant: Instant) -> Instant? {
    open -= 1
    latest = max(latest, instant)
    return open == 0 ? latest : nil
  }

  fileprivate func resume(_ person: Person<Contract>, at instant: Instant) {
    guard let waiter = waiter.take() else { return }
    person.now = max(person.now, instant)
    waiter.resume(returning: takeCalls().map { $0.asked.outcome })
  }

  fileprivate func abandon() {
    guard let waiter = waiter.take() else { return }
    _ = takeCalls()
    waiter.resume(returning: nil)
  }

  /// They hold the question and it them: the circle ends here.
  private func takeCalls() -> [InFlightCall<Contract>] {
    defer { calls = [] }
    return calls
  }
}
