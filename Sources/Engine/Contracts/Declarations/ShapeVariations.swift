extension Shape {
  /// With the body in another spelling.
  /// - Parameters:
  ///   - reading: What was sent as the members declare it.
  ///   - writing: The other way round.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  public func respelt(
    reading: @escaping @Sendable (JSON) -> JSON, writing: @escaping @Sendable (JSON, Value) -> JSON
  ) -> Shape {
    let (readParts, writeParts) = (readParts, writeParts)
    return Shape(
      members: members,
      read: { (parts) throws(Malformed) in
        var plain = parts
        plain.body = reading(.object(parts.body)).object ?? parts.body
        return try readParts(plain)
      },
      write: { value, spelling in
        var parts = writeParts(value, spelling)
        parts.body = writing(.object(parts.body), value).object ?? parts.body
        return parts
      }, mix: mix)
  }

  /// With a condition that its values meet.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  public func checked(_ problem: @escaping @Sendable (Value) -> Malformed?) -> Shape {
    let readParts = readParts
    return Shape(
      members: members,
      read: { (parts) throws(Malformed) in
        let value = try readParts(parts)
        if let problem = problem(value) { throw problem }
        return value
      }, write: writeParts, mix: mix)
  }
}
