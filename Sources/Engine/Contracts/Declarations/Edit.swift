/// What a partial update says of one member: nothing, or a value, `null` among them where the member may be that.
public enum Edit<Value: Sendable>: Sendable {
  case unchanged
  case to(Value)

  /// The value from now on.
  public func applied(to present: Value) -> Value {
    if case .to(let value) = self { value } else { present }
  }
}

extension Edit: Equatable where Value: Equatable {}
extension Edit: Hashable where Value: Hashable {}

extension Coding {
  /// A member that changes what it names and leaves it as it is where it is absent; `null` is for the value's own coding to take or to refuse.
  public static func change<Wrapped>(_ coding: Coding<Wrapped>) -> Coding
  where Value == Edit<Wrapped> {
    let (read, write, mix) = (coding.read, coding.write, coding.mix)
    return Coding(
      schema: coding.schema, example: coding.example, words: coding.words, absent: .unchanged,
      readsNull: true, read: { (json) throws(Malformed) in .to(try read(json)) },
      write: { change, spelling in
        if case .to(let value) = change { write(value, spelling) } else { nil }
      },
      mix: { change, digest in
        guard case .to(let value) = change else { return digest.mix(false) }
        digest.mix(true)
        mix(value, &digest)
      })
  }
}
