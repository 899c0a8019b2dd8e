extension Shape {
  /// A document whose fault is a value: for a backend that has to know where a request goes before it says what is wrong with what it brings.
  public var orFault: Shape<Result<Value, Unread.Fault>> {
    let (members, readParts, writeParts, mix) = (members, readParts, writeParts, mix)
    return Shape<Result<Value, Unread.Fault>>(
      members: members,
      read: { parts in
        do throws(Malformed) { return .success(try readParts(parts)) } catch {
          return .failure(Unread.Fault(error))
        }
      },
      write: { result, spelling in
        switch result {
        case .success(let value): return writeParts(value, spelling)
        case .failure(let fault):
          let spoilt = WireParts.spoilt(members, fault).first { parts in
            do throws(Malformed) { _ = try readParts(parts) } catch {
              return Unread.Fault(error) == fault
            }
            return false
          }
          guard let spoilt else { preconditionFailure("no document is \(fault)") }
          return spoilt
        }
      },
      mix: { result, digest in
        switch result {
        case .success(let value): mix(value, &digest)
        case .failure(let fault): digest.mix(fault.path)
        }
      })
  }
}

extension WireParts {
  /// Documents that may show a fault about one member: the members' examples, that one spoilt.
  fileprivate static func spoilt(_ members: [ShapeMember], _ fault: Unread.Fault) -> [WireParts] {
    var example = WireParts()
    for member in members {
      if let value = member.example { example.set(member.name, in: member.location, to: value) }
    }
    return fault.oddities.map { example.setting(fault.path, to: $0, members) }
  }
}
