/// How one kind of answer travels: its status, its content, and which typed reply it is.
public struct ReplyForm<Contract: ServiceContract>: Sendable {
  public typealias Reply = Contract.Reply
  public typealias Request = Contract.Request

  public let status: Int
  /// `nil` for an answer without content.
  public let mediaType: String?
  public let schema: JSON
  /// The headers that it comes with, by their names, with their schemas.
  public let headers: JSONObject
  /// `nil` for a reply that travels otherwise.
  let write: @Sendable (Reply, Request?, Spelling) -> WireResponse?
  /// `nil` for a response that is none of these.
  let read: @Sendable (WireResponse, Request) -> Reply?
  /// What is wrong with a response of its status that it does not read; `nil` where it has nothing to say.
  let objection: @Sendable (WireResponse) -> Malformed?
  /// Whether the reply is one of these, so that it was mixed.
  let mix: @Sendable (Reply, inout Digest) -> Bool

  public init(
    status: Int, mediaType: String?, schema: JSON = [:], headers: JSONObject = [:],
    write: @escaping @Sendable (Reply, Request?, Spelling) -> WireResponse?,
    read: @escaping @Sendable (WireResponse, Request) -> Reply?,
    mix: @escaping @Sendable (Reply, inout Digest) -> Bool,
    objection: @escaping @Sendable (WireResponse) -> Malformed? = { _ in nil }
  ) {
    self.objection = objection
    self.status = status
    self.mediaType = mediaType
    self.schema = schema
    self.headers = headers
    self.write = write
    self.read = read
    self.mix = mix
  }

  /// A JSON document.
  /// - Parameters:
  ///   - statuses: Under which a client takes it for this answer; `status` alone where nothing is said.
  ///   - headers: What is sent beside it and follows from it, such as a cookie.
  public static func json<Value: Sendable>(
    _ coding: Coding<Value>, _ make: @escaping @Sendable (Value) -> Reply,
    _ get: @escaping @Sendable (Reply) -> Value?, status: Int = 200,
    readUnder statuses: Range<Int>? = nil,
    headers: @escaping @Sendable (Value) -> [WireHeader] = { _ in [] }
  ) -> ReplyForm {
    ReplyForm(
      status: status, mediaType: "application/json", schema: coding.schema,
      write: writing(coding, get, status, headers),
      read: reading(coding, make, under: statuses ?? status..<status + 1),
      mix: { reply, digest in
        guard let value = get(reply) else { return false }
        coding.mix(value, &digest)
        return true
      }, objection: { coding.objection(to: $0) })
  }

  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  private static func writing<Value: Sendable>(
    _ coding: Coding<Value>, _ get: @escaping @Sendable (Reply) -> Value?, _ status: Int,
    _ headers: @escaping @Sendable (Value) -> [WireHeader]
  ) -> @Sendable (Reply, Request?, Spelling) -> WireResponse? {
    { reply, _, spelling in
      get(reply).map {
        WireResponse(status, headers: headers($0), body: coding.write($0, spelling))
      }
    }
  }

  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  private static func reading<Value: Sendable>(
    _ coding: Coding<Value>, _ make: @escaping @Sendable (Value) -> Reply,
    under statuses: Range<Int>
  ) -> @Sendable (WireResponse, Request) -> Reply? {
    { response, _ in
      guard statuses.contains(response.status), let body = response.body else { return nil }
      return (try? coding.read(body)).map(make)
    }
  }
}

extension Coding {
  /// What is wrong with a response whose body is to be one of these.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  public func objection(to response: WireResponse) -> Malformed? {
    guard let body = response.body else { return .invalid("is no JSON") }
    do throws(Malformed) { _ = try read(body) } catch { return error }
    return nil
  }
}

extension ReplyForm {
  /// A JSON object.
  public static func json<Value: Sendable>(
    _ shape: Shape<Value>, _ make: @escaping @Sendable (Value) -> Reply,
    _ get: @escaping @Sendable (Reply) -> Value?, status: Int = 200,
    readUnder statuses: Range<Int>? = nil,
    headers: @escaping @Sendable (Value) -> [WireHeader] = { _ in [] }
  ) -> ReplyForm {
    .json(shape.coding, make, get, status: status, readUnder: statuses, headers: headers)
  }
}

extension ReplyForm {
  /// An HTML page, as far as a client needs it.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  public static func page<Value: Sendable>(
    _ make: @escaping @Sendable (Value) -> Reply, _ get: @escaping @Sendable (Reply) -> Value?,
    html: @escaping @Sendable (Value) -> String,
    reading: @escaping @Sendable (String?) -> Value?
  ) -> ReplyForm {
    ReplyForm(
      status: 200, mediaType: "text/html",
      write: { reply, _, spelling in
        guard let value = get(reply) else { return nil }
        if case .redacted = spelling { return WireResponse(200, body: ["page": "html"]) }
        return WireResponse(200, content: WireResponse.page(html(value)))
      },
      read: { response, _ in response.status == 200 ? reading(response.text).map(make) : nil },
      mix: { reply, _ in get(reply) != nil })
  }
}

/// How a refusal travels.
public struct RefusalForm<Contract: ServiceContract>: Sendable {
  public typealias Refusal = Contract.Refusal

  public let schema: JSON
  /// The headers that it comes with, by their names, with their schemas.
  public let headers: JSONObject
  let write: @Sendable (Refusal) -> WireResponse?
  let read: @Sendable (WireResponse) -> Refusal?

  public init(
    schema: JSON, headers: JSONObject = [:],
    write: @escaping @Sendable (Refusal) -> WireResponse?,
    read: @escaping @Sendable (WireResponse) -> Refusal?
  ) {
    self.schema = schema
    self.headers = headers
    self.write = write
    self.read = read
  }

  /// A JSON document and headers, under a status that follows from the refusal: under another it is none.
  /// - Parameter statuses: Under which a client takes it for a refusal, whatever its code.
  public static func json(
    _ shape: Shape<Refusal>, readUnder statuses: Range<Int>? = nil,
    status: @escaping @Sendable (Refusal) -> Int
  ) -> RefusalForm {
    RefusalForm(
      schema: shape.schema,
      headers: JSONObject(
        shape.members.filter { $0.location == .header }.map { (name: $0.name, value: $0.described) }
      ),
      write: { refusal in
        let parts = shape.writeParts(refusal, .redacted)
        return WireResponse(status(refusal), headers: parts.headers, body: .object(parts.body))
      },
      read: { response in
        guard let body = response.body?.object,
          let refusal = try? shape.readParts(WireParts(headers: response.headers, body: body)),
          statuses?.contains(response.status) ?? (status(refusal) == response.status)
        else { return nil }
        return refusal
      })
  }
}
