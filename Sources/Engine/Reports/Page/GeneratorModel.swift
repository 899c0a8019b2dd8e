import Runs

/// Whether the machine that made the load kept up, so that the figures are about the backend.
struct GeneratorModel: Sendable {
  let sentence: String
  let facts: [MethodModel.Fact]
  /// Whether figures may depend on it; virtual time waits for the machine.
  let matters: Bool

  init(_ run: Run) {
    matters = run.generator != nil || run.machine.punctuality != nil || run.exitCode == 96
    let texts = Texts.english
    if let generator = run.generator {
      sentence = generator.breaches.isEmpty ? texts.generatorKept : texts.generatorLate
      facts = Self.facts(of: generator)
      return
    }
    let machine = run.machine
    sentence =
      run.exitCode == 96 ? texts.generatorLate : texts.generatorVirtual
    let lived = run.virtualSeconds * Double(run.replications.count)
    var facts = [
      MethodModel.Fact(name: texts.wallTime, value: Figures.duration(machine.wallSeconds)),
      MethodModel.Fact(name: texts.workers, value: Figures.count(machine.workers)),
    ]
    if machine.wallSeconds > 0, lived > 0 {
      facts += [
        MethodModel.Fact(
          name: texts.speed, value: texts.timesFaster(Figures.number(lived / machine.wallSeconds))),
        MethodModel.Fact(
          name: texts.pace,
          value: texts.perSecond(Figures.number(Double(run.requests) / machine.wallSeconds))),
      ]
    }
    if let calls = machine.punctuality?.calls {
      facts.append(MethodModel.Fact(name: texts.requestsSent, value: texts.requests(calls)))
    }
    self.facts = facts
  }

  private static func facts(of generator: GeneratorResult) -> [MethodModel.Fact] {
    let texts = Texts.english
    typealias Fact = MethodModel.Fact
    let lateness = generator.lateness.map { point in
      let took = Figures.duration(point.seconds)
      return Fact(
        name: "\(texts.lateness) \(Figures.quantile(point.share))",
        value: abs(point.share - 0.99) < 1e-9
          ? texts.withinLimit(took, Figures.duration(generator.latenessLimit)) : took)
    }
    let facts = generator.facts.map { fact in
      let value = Figures.duration(fact.seconds)
      return Fact(
        name: fact.name,
        value: fact.limitSeconds.map { texts.withinLimit(value, Figures.duration($0)) } ?? value)
    }
    let share = Fact(
      name: texts.core,
      value: texts.withinLimit(
        Figures.share(generator.threadShare), Figures.share(generator.threadShareLimit)))
    let missed = Fact(name: texts.missedCalls, value: Figures.count(generator.missed))
    let requests = Fact(name: texts.requestsSent, value: texts.requests(generator.calls))
    let pauses =
      generator.pauses > 0
      ? [Fact(name: texts.usersPauses, value: texts.pauses(generator.pauses))] : []
    let phases = generator.phases.map { phase in
      Fact(name: "\(texts.phase) \(phase.pace)", value: TerminalLoad.words(phase))
    }
    let service = generator.service.map { service in
      Fact(
        name: "\(texts.serviceTime) \(service.operation.excerpt)",
        value: service.quantiles.map {
          "\(Figures.quantile($0.share)) \(Figures.duration($0.seconds))"
        }.joined(separator: ", "))
    }
    return generator.breaches.map { Fact(name: texts.reasonInvalid, value: $0) } + lateness + facts
      + [requests, share, missed] + pauses + phases + service
  }
}
