import Observations
import Runs

/// A card for each backend whose domain says what it is used for: how far things came, and why some got no further.
struct StoriesModel: Sendable {
  let cards: [Card]
  let isGiven: Bool
  /// How many replications the counts are of, where there are several.
  let runs: [String]

  init(_ run: Run) {
    runs = run.repetitions > 1 ? [Texts.english.inAll(run.repetitions)] : []
    cards = run.flows.enumerated().map { Card($0.element, index: $0.offset) }
    isGiven = !cards.isEmpty
  }

  struct Card: Sendable {
    let world: String
    let things: String
    let steps: [Step]

    init(_ flow: FlowResult, index: Int) {
      world = flow.world.excerpt
      things = flow.things.excerpt
      steps = flow.steps.indices.map { Step($0, of: flow, card: index) }
    }
  }

  struct Step: Sendable {
    let title: String
    let count: String
    let share: [String]
    let bar: String
    let losses: [Loss]
    let hasLosses: Bool

    init(_ place: Int, of flow: FlowResult, card: Int) {
      let step = flow.steps[place]
      title = step.title.excerpt
      count = Figures.count(step.reached)
      let all = flow.steps[0].reached
      share =
        place > 0 && all > 0 ? [Figures.share(Double(step.reached) / Double(all))] : []
      bar = FlowBar.draw(place, of: flow, id: "flow-\(card)-\(place)")
      let isLast = place == flow.steps.count - 1
      losses =
        step.losses.enumerated().sorted {
          ($1.element.count, $0.offset) < ($0.element.count, $1.offset)
        }.map { Loss($0.element) }
        + (isLast || step.open == 0 ? [] : [Loss(open: step.open)])
      hasLosses = !losses.isEmpty
    }
  }

  /// Why things got no further, with a sign and a tone for whose it is.
  struct Loss: Sendable {
    let tone: String
    let sign: String
    let text: String
    /// Whose it is, for whoever does not see the sign.
    let whose: String

    init(_ loss: FlowResult.Loss) {
      let texts = Texts.english.screen
      tone = loss.cause.rawValue
      text = "\(Figures.count(loss.count)) \(loss.reason.excerpt)"
      switch loss.cause {
      case .backend: (sign, whose) = ("■", texts.ofBackend)
      case .model: (sign, whose) = ("◆", texts.ofModel)
      case .population: (sign, whose) = ("○", texts.ofPeople)
      }
    }

    init(open count: Int) {
      let texts = Texts.english
      (tone, sign, whose) = ("rest", "…", "")
      text = texts.stillOpen(Figures.count(count))
    }
  }
}
