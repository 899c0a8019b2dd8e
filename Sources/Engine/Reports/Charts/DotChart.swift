import Runs

/// Times of many things on one logarithmic axis, a line each: percentiles with their intervals, or what a figure was and what it is.
struct DotChart {
  /// One time on a line.
  struct Mark {
    /// `half`, `tail` or `end` of percentiles; `before` and `after` of a comparison, with a tone.
    let style: String
    /// `nil` lies beyond what was answered.
    let seconds: Double?
    var interval: Bounds?

    var ends: [Double] {
      [seconds, interval?.low, interval?.high].compactMap(\.self).filter(\.isFinite)
    }
  }

  struct Line {
    let name: String
    /// Drawn in this order.
    let marks: [Mark]
    /// What stands at its end, and what joins the marks.
    var note = ""
    var link: String?
    /// All of it for a pointer.
    let words: String
  }

  let title: String
  let lines: [Line]
  /// Of the whole picture, from the least to the most.
  let description: (_ low: String, _ high: String) -> String

  func draw(id: String, narrow: Bool) -> String {
    let width = narrow ? 360.0 : 1_216.0
    let (left, row) = narrow ? (4.0, 34.0) : (330.0, 20.0)
    let notes = lines.contains { !$0.note.isEmpty } && !narrow ? 96.0 : 0
    let bottom = 20 + Double(lines.count) * row
    var drawing = Drawing(width: width, height: bottom + 18)
    let area = PlotArea(left: left, top: 20, right: width - 24 - notes, bottom: bottom)
    let axis = SecondsAxis(covering: lines.flatMap { $0.marks.flatMap(\.ends) })
    // Labels need room: on a phone every second mark has one.
    let every = narrow && axis.marks.count > 5 ? 2 : 1
    for (place, mark) in axis.marks.enumerated() {
      let x = area.x(axis.share(mark))
      drawing.line(x, area.top - 4, x, area.bottom, "grid")
      guard place % every == 0 else { continue }
      let anchor = place == 0 && narrow ? "start" : "middle"
      drawing.text(Figures.duration(mark), x, 12, anchor: anchor)
      drawing.text(Figures.duration(mark), x, bottom + 14, anchor: anchor)
    }
    for (place, line) in lines.enumerated() {
      let y = area.top + (Double(place) + (narrow ? 0.7 : 0.5)) * row
      let room = narrow ? 46 : 50
      let name = line.name.count > room ? String(line.name.prefix(room - 1)) + "…" : line.name
      if narrow {
        drawing.text(name, left, y - 11, "label")
        drawing.text(line.note, width, y - 11, "label", anchor: "end")
      } else {
        drawing.text(name, left - 14, y + 4, "label", anchor: "end")
        drawing.text(line.note, width, y + 4, "label", anchor: "end")
      }
      drawing.line(area.left, y, area.right, y, "grid")
      if let link = line.link, let from = line.marks.first?.seconds,
        let to = line.marks.last?.seconds
      {
        drawing.line(area.x(axis.share(from)), y, area.x(axis.share(to)), y, "link " + link)
      }
      for mark in line.marks { draw(mark, y, axis, in: area, on: &drawing) }
      drawing.hit(area.left, y - row / 2, area.width, row, line.words)
    }
    return drawing.element(
      id: id, title: title,
      description: description(Figures.duration(axis.low), Figures.duration(axis.high)),
      style: narrow ? "narrow" : "wide")
  }

  private func draw(
    _ mark: Mark, _ y: Double, _ axis: SecondsAxis, in area: PlotArea, on drawing: inout Drawing
  ) {
    func x(_ seconds: Double) -> Double { area.x(axis.share(seconds)) }
    if let interval = mark.interval {
      drawing.line(x(interval.low), y, x(interval.high), y, "between-line \(mark.style)")
    }
    guard let seconds = mark.seconds else {
      // Beyond what was answered: it points out of the picture.
      drawing.text("→", area.right + 16, y + 4, "arrow", anchor: "end")
      return
    }
    if mark.style == "end" {
      drawing.line(x(seconds), y - 5, x(seconds), y + 5, "mark end")
    } else {
      drawing.circle(x(seconds), y, 3.6, "mark " + mark.style)
    }
  }
}

extension DotChart {
  private static let shares: [(q: Double, style: String)] = [
    (0.99, "end"), (0.95, "tail"), (0.5, "half"),
  ]

  /// Response times: median, 95th and 99th percentile.
  init(_ latencies: [LatencyResult], names: [String]) {
    let texts = Texts.english
    self.init(
      title: texts.screen.dots,
      lines: zip(latencies, names).map { latency, name in
        Line(
          name: name,
          marks: Self.shares.compactMap { q, style in
            guard let quantile = latency.quantile(q), quantile.isTold(by: latency.count) else {
              return nil
            }
            return Mark(style: style, seconds: quantile.seconds, interval: quantile.interval)
          },
          words: latency.title + " · "
            + Self.shares.reversed().map {
              Figures.quantile($0.q) + " " + latency.words(forQuantile: $0.q)
            }.joined(separator: ", "))
      }
    ) { low, high in
      texts.dotsSummary(latencies.count, low: low, high: high, slowest: names.first ?? "")
    }
  }

  /// The phases of a load, in the order of time.
  init(_ phases: [GeneratorResult.Phase]) {
    let texts = Texts.english
    let wanted: [(Double, String)] = [(0.99, "end"), (0.9, "tail"), (0.5, "half")]
    self.init(
      title: texts.load.phases,
      lines: phases.enumerated().map { place, phase in
        Line(
          name: "\(place + 1). \(phase.pace)",
          marks: wanted.compactMap { q, style in
            phase.quantiles.first { abs($0.share - q) < 1e-9 }.map {
              Mark(style: style, seconds: $0.seconds)
            }
          }, words: phase.pace + " · " + TerminalLoad.words(phase))
      }
    ) { low, high in texts.load.phasesSummary(phases.count, low: low, high: high) }
  }

  /// Times that were compared; shares of requests have no place on an axis of seconds.
  init(_ times: [RunComparison.Metric], names: [String]) {
    let texts = Texts.english
    self.init(
      title: texts.screen.pairs,
      lines: zip(times, names).map { metric, name in
        let badge = Badge(metric.change.verdict)
        return Line(
          name: name.excerpt,
          marks: [
            Mark(style: "before", seconds: metric.before),
            Mark(
              style: "after \(badge.tone)", seconds: metric.after,
              interval: metric.change.interval.map {
                Bounds(low: metric.before * $0.low, high: metric.before * $0.high)
              }),
          ], note: "\(badge.sign) \(metric.changeInWords.orElse(texts.none))", link: badge.tone,
          words:
            "\(name.excerpt): \(metric.figure(metric.before)) → \(metric.figure(metric.after)), \(badge.word)"
            + (metric.intervalInWords.map { " (\($0))" } ?? "")
        )
      }
    ) { low, high in texts.pairsSummary(times.count, low: low, high: high) }
  }
}
