import Observations
import Runs

/// How many of a flow's things came as far as one step, as a bar on the scale of all that began: those that went on, those that stayed,
/// and those that left, by whose it is.
enum FlowBar {
  static func draw(_ place: Int, of flow: FlowResult, id: String) -> String {
    let step = flow.steps[place]
    var drawing = Drawing(width: 400, height: 12)
    let all = Double(max(1, flow.steps[0].reached))
    drawing.rectangle(0, 0, 400, 12, "track", radius: 2)
    let isLast = place == flow.steps.count - 1
    let went = isLast ? step.reached : flow.steps[place + 1].reached
    var parts = [(went, "on"), (isLast ? 0 : step.open, "rest")]
    for cause in Course.Cause.allCases.reversed() {
      let count = step.losses.filter { $0.cause == cause }.reduce(0) { $0 + $1.count }
      parts.append((count, "loss \(cause.rawValue)"))
    }
    var x = 0.0
    for (count, style) in parts where count > 0 {
      let width = Double(count) / all * 400
      drawing.rectangle(x, 0, width, 12, style)
      x += width
    }
    let texts = Texts.english
    return drawing.element(
      id: id, title: step.title,
      description: texts.flowSummary(step, of: flow.steps[0].reached, went: isLast ? nil : went),
      style: "flow")
  }
}
