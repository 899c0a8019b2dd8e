import Contracts

extension KantineKoning {
  package static let limits: [Limit] = []
}
