import ArgumentParser
import Foundation
import RunFolders
import Simulation
import Verdicts

/// The file of `--events`: opened before the run, so that nothing is lost to a wrong path, and written as the run happens.
struct EventFile {
  let stream: EventStream
  private let file: OutputFile
  private let blocks: BlockFile

  /// - Parameter inputs: Files that the run reads. Problems are printed and end the command.
  init(_ path: String, sparing inputs: [String]) throws {
    do throws(OutputProblem) {
      file = try OutputFile(
        path, sparing: inputs, waiting: { Console.error("Waiting for a reader of \(path).") },
        patience: .init {
          Console.error("The reader of \(path) takes nothing: the run waits for it.")
        })
    } catch {
      throw error.told
    }
    let blocks = BlockFile(blockBytes: EventStream.blockBytes)
    self.blocks = blocks
    stream = EventStream(
      blocks: .init(store: { blocks.store($0) }, load: { blocks.load($0) }),
      write: { [file] in file.write($0) })
  }

  /// Leaves nothing of it.
  func discard() { file.discard() }

  /// Gives the file its name.
  ///
  /// - Returns: Why not all was written that anybody wanted to read; `nil` when it was.
  func close() -> String? {
    do throws(OutputProblem) {
      if let problem = blocks.problem {
        file.discard()
        throw problem
      }
      try file.close()
      return nil
    } catch {
      return "\(error.description); the events of this run are not kept"
    }
  }
}
