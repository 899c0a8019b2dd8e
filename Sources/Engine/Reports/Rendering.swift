import Runs

/// All files of a run's folder.
public enum Rendering {
  /// Relative paths, each once, and their bytes; `result.json` comes last, so that whoever finds it finds the rest.
  public static func files(for run: Run) -> [(path: String, bytes: [UInt8])] {
    curves(of: run) + views(of: run) + [
      (path: "result.json", bytes: ResultDocument.bytes(for: run))
    ]
  }

  /// The files that can be made again from `result.json`.
  public static func views(of run: Run) -> [(path: String, bytes: [UInt8])] {
    let picture = SummaryPicture.bytes(for: run).map { [(path: SummaryPicture.file, bytes: $0)] }
    return (picture ?? []) + [
      (path: "index.html", bytes: Page.bytes(for: run)),
      (path: "summary.md", bytes: SummaryDocument.bytes(for: run)),
      (path: "junit.xml", bytes: JUnitDocument.bytes(for: run)),
      (path: "latencies.csv", bytes: LatencyTable.bytes(for: run)),
      (path: "metrics.txt", bytes: MetricsDocument.bytes(for: run)),
    ]
  }

  /// `latency/<world>.<operation>.hgrm`, for any plotter of HdrHistogram's percentile text.
  private static func curves(of run: Run) -> [(path: String, bytes: [UInt8])] {
    var taken: Set<String> = []
    return run.latencies.filter { !$0.hgrm.isEmpty }.map { latency in
      let stem = Escaping.fileName(latency.world) + "." + Escaping.fileName(latency.operation)
      var name = stem
      var suffix = 2
      // A file system may take names that differ in case for one.
      while !taken.insert(name.lowercased()).inserted {
        name = "\(stem)-\(suffix)"
        suffix += 1
      }
      return (path: "latency/\(name).hgrm", bytes: Array(latency.hgrm.utf8))
    }
  }
}
