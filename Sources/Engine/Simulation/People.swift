import Contracts
import Journeys
import Timekeeping

/// Who lives in a region: people with their journeys, the addresses at which signals reach them, and their mailboxes.
struct People<Contract: ServiceContract> {
  /// A person with what is kept about it.
  private struct Resident {
    let person: Person<Contract>
    let behaviour: any Behaviour<Contract>
    /// Counts the person's records and the events it caused.
    var records: UInt32 = 0
    var events: UInt32 = 0
    var journeys = 0
    /// Where signals reach the person.
    var addresses: [Contract.Address] = []
    var mailbox = Mailbox<Contract>()
    var waiting: Waiting<Contract>?
  }

  private var residents: [Resident] = []
  /// By cell: cells of one region may use the same address for different listeners.
  private var listeners: [[Contract.Address: [PersonID]]] = []
  private(set) var liveJourneys = 0

  init() {}

  mutating func reserveCapacity(_ count: Int) { residents.reserveCapacity(count) }

  /// Somebody moves in; persons are numbered as they come.
  mutating func add(_ person: Person<Contract>, as behaviour: any Behaviour<Contract>) {
    precondition(Int(person.id.index) == residents.count, "people are numbered as they come")
    residents.append(Resident(person: person, behaviour: behaviour))
  }

  var count: Int { residents.count }

  func person(_ id: PersonID) -> Person<Contract> { residents[Int(id.index)].person }
  func behaviour(of id: PersonID) -> any Behaviour<Contract> { residents[Int(id.index)].behaviour }

  // MARK: - Counting

  /// How many events the person has caused.
  func events(of id: PersonID) -> UInt32 { residents[Int(id.index)].events }

  /// The number of the person's next event.
  mutating func nextEvent(of id: PersonID) -> UInt32 {
    defer { residents[Int(id.index)].events &+= 1 }
    return residents[Int(id.index)].events
  }

  /// The number of the person's next record.
  mutating func nextRecord(of id: PersonID) -> UInt32 {
    defer { residents[Int(id.index)].records &+= 1 }
    return residents[Int(id.index)].records
  }

  // MARK: - Journeys

  mutating func beginJourney(of id: PersonID) {
    residents[Int(id.index)].journeys += 1
    liveJourneys += 1
  }

  mutating func endJourney(of id: PersonID) {
    residents[Int(id.index)].journeys -= 1
    liveJourneys -= 1
  }

  /// Whether one journey is all that lives of a person whom no signal can reach.
  func isAlone(_ id: PersonID) -> Bool {
    residents[Int(id.index)].journeys == 1 && residents[Int(id.index)].addresses.isEmpty
  }

  /// Whether nothing of a person lives.
  func isAway(_ id: PersonID) -> Bool { residents[Int(id.index)].journeys == 0 }

  // MARK: - Signals

  mutating func listen(_ id: PersonID, at address: Contract.Address) {
    if residents[Int(id.index)].addresses.contains(address) { return }
    residents[Int(id.index)].addresses.append(address)
    let cell = person(id).cell
    while listeners.count <= cell { listeners.append([:]) }
    listeners[cell][address, default: []].append(id)
  }

  /// Whom a signal of a cell reaches at an address, in the order in which they began to listen.
  func listeners(at address: Contract.Address, in cell: Int) -> [PersonID] {
    cell < listeners.count ? listeners[cell][address] ?? [] : []
  }

  /// Who takes a signal that has arrived.
  enum Taker {
    /// A journey, which was waiting for it.
    case journey(Waiting<Contract>)
    /// The device, by itself.
    case device
    /// Nobody yet: it lies in the mailbox.
    case mailbox
  }

  mutating func receive(_ received: Received<Contract>, by id: PersonID) -> Taker {
    let index = Int(id.index)
    if let waiting = residents[index].waiting, waiting.isOpen, waiting.wanted(received.signal) {
      residents[index].waiting = nil
      return .journey(waiting)
    }
    if residents[index].behaviour.reacts(to: received.signal) { return .device }
    residents[index].mailbox.put(received)
    return .mailbox
  }

  /// Takes the earliest signal that is wanted out of a person's mailbox.
  mutating func take(
    where isWanted: (Contract.Signal) -> Bool, by id: PersonID
  ) -> Received<Contract>? {
    residents[Int(id.index)].mailbox.take(where: isWanted)
  }

  /// A journey looks for a signal; where none is there, it waits from now on.
  mutating func look(for waiting: Waiting<Contract>) -> Received<Contract>? {
    let index = Int(waiting.person.id.index)
    if let received = residents[index].mailbox.take(where: waiting.wanted) { return received }
    precondition(
      residents[index].waiting?.isOpen != true,
      "two journeys of \(waiting.person.name) wait at once")
    residents[index].waiting = waiting
    return nil
  }

  /// The journey of a person waits no longer.
  mutating func stopWaiting(_ id: PersonID) { residents[Int(id.index)].waiting = nil }
}
