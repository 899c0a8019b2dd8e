import Runs

/// Whether the machine that made the load kept up, so that the figures are about the backend.
struct GeneratorModel: Sendable {
  let sentence: String
  let facts: [MethodModel.Fact]

  init(_ run: Run) {
    let texts = Texts.english
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
    self.facts = facts
  }
}
