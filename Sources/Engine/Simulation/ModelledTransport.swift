import Backends
import Contracts
import Journeys
import Observations
import Scenarios
import Timekeeping

/// Carries calls to twins and the answers back by a model, in virtual time: latency, and the queue before the servers.
///
/// A call leaves when it was intended, and is answered when the model says so: the latencies that come of it are modelled.
final class ModelledTransport<Domain: Backend> {
  typealias Contract = Domain.Contract
  typealias Answer = Result<Contract.Reply, Contract.Refusal>

  /// A request before the servers, with the backend's result; without one its answer comes by itself, or nobody waits for it.
  private struct Job {
    let call: InFlightCall<Contract>
    let result: Answer?
    let arrived: Instant
    let busy: Span
  }

  private let twins: Twins<Domain>
  private let latency: Distribution
  private let prices: Service
  private var servers: ServiceQueue<Job>
  /// By operation, where some go before others, so that only a server that is free decides who is next.
  private let priorities: [Service.Priority]?
  /// When a server may take somebody next, as the loop was asked last.
  private var servesNext: Instant?

  init(_ twins: Twins<Domain>, _ scenario: Scenario) {
    let plan = twins.plan
    self.twins = twins
    latency = scenario.network.latency
    prices = scenario.service
    servers = ServiceQueue(scenario.service, from: plan.starts) { plan.stream("server-\($0)", 3) }
    priorities = scenario.service.priorities(
      ofOperations: Contract.operations.map(\.name), of: Contract.domain)
  }

  var erased: Transport<Domain> {
    Transport(
      send: { self.send($0) }, answer: { self.answer($0, in: $1) },
      happen: { self.happen($0, in: $1) }, command: { self.twins.command($0, cell: $1, in: $2) },
      inspect: { self.twins.inspect(in: $0) },
      publications: { self.twins.publications(at: $0) }, read: { self.twins.read($0) })
  }

  private func send(_ call: InFlightCall<Contract>) -> Span {
    let way = call.person.draw(.network) { $0.sample(latency) } / 2
    call.passage = Passage(network: way + way)
    return way
  }

  private func answer(_ call: InFlightCall<Contract>, in region: Region<Domain>) {
    let now = region.loop.now
    guard servers.hasRoom(at: now) else {
      // An overloaded front answers for the backend, which has not acted; the client cannot know that.
      return region.receive(.unknown(.serverError), of: call, leaving: now)
    }
    let handled = twins.ask(call, in: region)
    switch handled.answer {
    case .now(let result): serve(call, handled.work, result, in: region)
    case .later(let ticket):
      serve(call, handled.work, nil, in: region)
      twins.keep(call, for: ticket, in: region)
    }
    guard call.met.isDuplicated, servers.hasRoom(at: now) else { return }
    serve(call, twins.askAgain(call, in: region), nil, in: region)
  }

  private func happen(_ event: RegionEvent<Contract>, in region: Region<Domain>) {
    switch event {
    case .serve: serveNext(in: region)
    case .unserved(let call):
      region.conclude(call, .unknown(.timedOut), at: region.loop.now)
    default: twins.happen(event, in: region)
    }
  }

  // MARK: - Servers

  /// A request keeps a server busy. Requests come in the order of time.
  private func serve(
    _ call: InFlightCall<Contract>, _ work: Work, _ result: Answer?, in region: Region<Domain>
  ) {
    let now = region.loop.now
    let busy = prices.time(for: work)
    guard let priorities else {
      let done = servers.serve(arriving: now, busy: busy)
      return leave(call, result, arrived: now, busy: busy, at: done, in: region)
    }
    let job = Job(call: call, result: result, arrived: now, busy: busy)
    servers.enqueue(job, priorities[call.operation], busy: busy)
    serveNext(in: region)
    if result != nil, !call.isConcluded {
      region.schedule(.unserved(call), at: call.deadline, by: call.person.id)
    }
  }

  /// Servers that are free take those who wait, and the loop comes back when the next one is.
  private func serveNext(in region: Region<Domain>) {
    let now = region.loop.now
    while let (job, done) = servers.begin(at: now) {
      leave(
        job.call, job.result, arrived: job.arrived, busy: job.busy, at: done, in: region)
    }
    guard let next = servers.nextBeginning(at: now) else { return }
    if let servesNext, servesNext > now, servesNext <= next { return }
    servesNext = next
    region.loop.schedule(.serve, at: next, from: .environment)
  }

  /// A server is done with a request.
  private func leave(
    _ call: InFlightCall<Contract>, _ result: Answer?, arrived: Instant, busy: Span,
    at done: Instant, in region: Region<Domain>
  ) {
    guard let result else { return }
    call.passage?.waiting = done - arrived - busy
    call.passage?.service = busy
    region.receive(Outcome(result), of: call, leaving: done)
  }
}
