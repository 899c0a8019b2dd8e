/// Values of a deployment that the operator sets; what is left out stays.
public struct Adjustment<Values: Deployment>: Hashable, Sendable {
  private var values = Values()
  /// Which settings are given, by their places in `Values.settings`, in that order.
  private var given: [Int] = []

  /// The values that a change makes of the specification's.
  public init(_ change: (inout Values) -> Void = { _ in }) {
    let standard = values
    change(&values)
    given = Values.settings.indices.filter { !Values.settings[$0].isEqual(values, standard) }
  }

  public var isEmpty: Bool { given.isEmpty }

  public func apply(to present: inout Values) {
    for index in given { Values.settings[index].copy(values, &present) }
  }

  /// As the parameters of a command.
  public static var shape: Shape<Adjustment> {
    let members = Values.settings.indices.compactMap { index in
      Values.settings[index].member.map {
        (index, Values.wireName(of: Values.settings[index].name), $0)
      }
    }
    return Shape(
      members: members.map { index, name, member in
        let setting = Values.settings[index]
        let standard = member.write(Values(), .redacted) ?? .null
        return ShapeMember(
          name: name, location: .body, schema: member.schema, example: member.example,
          words: member.words, isRequired: false,
          meaning: "\(setting.meaning); \(standard) (\(setting.source))",
          aliases: [])
      },
      read: { (parts) throws(Malformed) in
        var adjustment = Adjustment()
        for (index, name, member) in members {
          guard let value = parts.value(of: name, in: .body) else { continue }
          do throws(Malformed) { try member.read(value, &adjustment.values) } catch {
            throw error.below(name)
          }
          adjustment.given.append(index)
        }
        return adjustment
      },
      write: { adjustment, spelling in
        var parts = WireParts()
        for (index, name, member) in members where adjustment.given.contains(index) {
          parts.set(name, in: .body, to: member.write(adjustment.values, spelling) ?? .null)
        }
        return parts
      },
      mix: { adjustment, digest in
        for (index, _, member) in members where adjustment.given.contains(index) {
          digest.mix(index)
          member.mix(adjustment.values, &digest)
        }
      })
  }
}

extension Command {
  /// `configure`: sets values of the deployment.
  public static func configure<Values: Deployment>(
    _ make: @escaping @Sendable (Adjustment<Values>) -> Contract.Request,
    answers: [ReplyForm<Contract>] = []
  ) -> Command {
    Command(
      "configure", "Sets what a deployment decides; what is left out stays.",
      Adjustment<Values>.shape, make, answers: answers
    ).needingSome()
  }
}
