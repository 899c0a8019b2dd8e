import Contracts
import Journeys
import Timekeeping

/// A session of a person, before it is lived.
struct Session<Contract: ServiceContract>: @unchecked Sendable {
  let person: Person<Contract>
  let behaviour: any Behaviour<Contract>
  let isVisit: Bool
}

/// Of tasks that have no session, more are ended.
private let mostIdle = 16

/// When the journeys of people begin and end.
extension Region {
  /// - Parameter isVisit: Whether the load wants it, and not the person's own calendar.
  func beginSession(of id: PersonID, isVisit: Bool = false) {
    let session = session(of: id, isVisit: isVisit)
    if let task = idle.popLast() { return task.resume(returning: session) }
    let unconfined = Unconfined((self, session))
    Task(executorPreference: executor) {
      let (region, session) = unconfined.value
      await region.live(session)
    }
  }

  private func session(of id: PersonID, isVisit: Bool) -> Session<Contract> {
    let (person, behaviour) = (people.person(id), people.behaviour(of: id))
    person.now = max(person.now, loop.now)
    people.beginJourney(of: id)
    recorder.tally.sessionsBegun += 1
    return Session(person: person, behaviour: behaviour, isVisit: isVisit)
  }

  /// Lives a session and whichever come after it: to make a task and to end it takes more than a session's own steps.
  private func live(_ first: Session<Contract>) async {
    var next: Session<Contract>? = first
    while let session = next {
      let person = session.person
      do throws(JourneyEnded) {
        if session.isVisit {
          try await session.behaviour.visit(as: person)
          endSession(of: person, next: nil)
        } else {
          endSession(of: person, next: try await session.behaviour.session(as: person))
        }
      } catch {
        people.endJourney(of: person.id)
      }
      next = nextSession()
      if next == nil, !isFinishing, idle.count < mostIdle {
        next = await withUnsafeContinuation { idle.append($0) }
      }
    }
  }

  /// One that begins before anything else happens.
  private func nextSession() -> Session<Contract>? {
    guard mayGoOn,
      case .session(let id)? = loop.next(if: { if case .session = $0 { true } else { false } })
    else { return nil }
    return session(of: id, isVisit: false)
  }

  private func endSession(of person: Person<Contract>, next: Instant?) {
    people.endJourney(of: person.id)
    recorder.tally.sessionsCompleted += 1
    if let load, load.decides(for: person.id) {
      self.load?.leave(person.id)
      guard let next = load.nextTurn(of: person.id, after: person.now) else { return }
      return schedule(.visit(person.id), at: next, by: person.id)
    }
    guard let next, max(next, person.now) < plan.ends else { return }
    schedule(.session(person.id), at: max(next, person.now), by: person.id)
  }

  /// Somebody comes: whoever is free and has been away longest.
  func admit() {
    recorder.tally.arrivals.due += 1
    let now = loop.now
    let visitor = load?.admit { people.isAway($0) && people.person($0).now <= now }
    if let visitor {
      beginSession(of: visitor, isVisit: true)
    } else {
      recorder.tally.arrivals.missed += 1
    }
    expectArrival()
  }

  func beginReaction(of id: PersonID, to received: Received<Contract>) {
    let (person, behaviour) = (people.person(id), people.behaviour(of: id))
    person.now = max(person.now, loop.now)
    people.beginJourney(of: id)
    let unconfined = Unconfined((self, person, behaviour))
    Task(executorPreference: executor) {
      let (region, person, behaviour) = unconfined.value
      do throws(JourneyEnded) {
        try await behaviour.react(to: received, as: person)
        region.people.endJourney(of: person.id)
      } catch {
        region.people.endJourney(of: person.id)
      }
    }
  }
}
