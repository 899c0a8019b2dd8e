import ArgumentParser
import Foundation
import Reports
import RunFolders
import Verdicts

struct ReportsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reports",
    abstract: "List and clean up the folders of runs below reports/.",
    discussion: """
      Examples:
        rehearse reports list
        rehearse reports clean --keep 5 --dry-run
      """,
    subcommands: [List.self, Clean.self])

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the folders of runs, the latest last.",
      discussion: "Example: rehearse reports list saturday")

    @OptionGroup var shelf: Shelf

    func run() throws {
      for folder in try shelf.folders() {
        Console.out("\(folder.path)  \(Figures.count((folder.bytes + 1_023) >> 10)) kB")
      }
    }
  }

  struct Clean: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "clean",
      abstract: "Delete the files of all but the latest runs of each scenario.",
      discussion: """
        Only files that a run wrote are deleted. The store keeps the runs' results, so that history and comparisons go on and \
        'rehearse report NUMBER --output DIR' renders them again; 'rehearse runs clean' deletes the records too.

        Examples:
          rehearse reports clean --keep 5
          rehearse reports clean saturday --keep 1 --dry-run
        """)

    @OptionGroup var shelf: Shelf

    @Option(parsing: .unconditional, help: "How many runs of each scenario to keep.")
    var keep: Int = 5

    @Flag(help: "Only say what would be deleted.")
    var dryRun = false

    func validate() throws {
      guard keep >= 0 else { throw ValidationError("--keep must not be negative, but is \(keep)") }
    }

    func run() throws {
      let all = try shelf.folders()
      var old: [Shelf.Folder] = []
      for name in Set(all.map(\.scenario)).sorted() {
        old += all.filter { $0.scenario == name }.dropLast(keep)
      }
      for folder in old {
        Console.out((dryRun ? "would delete " : "deleted ") + folder.path)
        if dryRun { continue }
        do throws(RunFolderError) {
          try RunFolder.remove(folder.path)
        } catch {
          Console.error("warning: \(error.description)")
        }
      }
      let freed = Figures.count(old.reduce(0) { $0 + $1.bytes } >> 10)
      Console.out(
        "\(old.count) of \(Figures.count(all.count, "folder")), \(freed) kB\(dryRun ? " could be freed" : " freed")"
      )
    }
  }

  /// `reports/<scenario>/<UTC time>-<seed>`, as 'rehearse run' names them; what else lies there is nobody's business.
  struct Shelf: ParsableArguments {
    struct Folder {
      let scenario: String
      let path: String
      let bytes: Int
    }

    @Argument(help: "Only folders of the scenario of this name.")
    var scenario: String?

    @Option(help: "The folder of the reports.", completion: .directory)
    var reports: String = "reports"

    func folders() throws -> [Folder] {
      guard let names = try? FileManager.default.contentsOfDirectory(atPath: reports) else {
        Console.error("\(reports): there is no such folder; 'rehearse run SCENARIO' creates one")
        throw ExitStatus.invalidInput.thrown
      }
      let wanted = names.filter { scenario == nil || $0 == scenario }.sorted()
      if let scenario, wanted.isEmpty {
        Console.error("\(reports): there are no runs of '\(Escaping.visible(scenario))' here")
        throw ExitStatus.invalidInput.thrown
      }
      return wanted.flatMap { name in
        let shelf = reports + "/" + name
        let runs = (try? FileManager.default.contentsOfDirectory(atPath: shelf)) ?? []
        return runs.filter(Self.isRun).sorted(by: Self.isEarlier).filter {
          FileManager.default.fileExists(atPath: "\(shelf)/\($0)/result.json")
        }.map {
          Folder(scenario: name, path: "\(shelf)/\($0)", bytes: Self.bytes(below: "\(shelf)/\($0)"))
        }
      }
    }

    private static func isRun(_ name: String) -> Bool {
      name.wholeMatch(
        of: #/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}-[0-9]{2}-[0-9]{2}Z-[0-9]+(-[0-9]+)?/#) != nil
    }

    /// By time; of one second, `-2` comes after none.
    private static func isEarlier(_ a: String, _ b: String) -> Bool {
      a.prefix(20) == b.prefix(20) ? (a.count, a) < (b.count, b) : a < b
    }

    private static func bytes(below path: String) -> Int {
      let files = FileManager.default.enumerator(atPath: path)?.allObjects as? [String] ?? []
      return files.reduce(0) { sum, file in
        let attributes = try? FileManager.default.attributesOfItem(atPath: path + "/" + file)
        return sum + (attributes?[.size] as? Int ?? 0)
      }
    }
  }
}
