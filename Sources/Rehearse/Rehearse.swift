import ArgumentParser
import Crypto
import Mustache

@main
struct Rehearse: ParsableCommand {
  func run() throws {}
}
