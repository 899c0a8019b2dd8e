import Contracts

// How answers travel (§3.1, §3.3). A client takes any success for the answer and any 4xx with a known code for a refusal; a server error
// says nothing about what happened (O3's `enrollment_failed` among them).
extension ReplyForm<KantineKoning> {
  /// One document.
  static func answer<Value: Sendable>(
    _ shape: Shape<Value>, _ make: @escaping @Sendable (Value) -> Reply,
    _ get: @escaping @Sendable (Reply) -> Value?
  ) -> Self {
    .json(shape, make, get, readUnder: 200..<300)
  }

  /// One value under a name.
  static func answer<Value: Sendable>(
    _ name: String, _ coding: Coding<Value>, _ make: @escaping @Sendable (Value) -> Reply,
    _ get: @escaping @Sendable (Reply) -> Value?
  ) -> Self {
    .answer(Shape({ $0 }, Field(name, \.self, coding)), make, get)
  }

  static let teams = answer(
    "teams", .list(TeamInfo.shape.coding), Reply.teams, \.teams)
  static let diensten = answer(
    "diensten", .list(Dienst.offered.coding), Reply.diensten, \.diensten)
  static let dienst = answer("dienst", Dienst.shape.coding, Reply.dienst, \.dienst)
  static let enrollmentsRevoked = answer(
    "enrollments_revoked", .int, Reply.enrollmentsRevoked, \.enrollmentsRevoked)
  static let transfer = answer(Transfer.shape, Reply.transfer, \.transfer)
  /// The client ignores the body.
  static let emailSent = answer(
    "status", .text.otherwise("email_sent"), { _ in .emailSent },
    { $0 == .emailSent ? "email_sent" : nil })
  static let pushDeliveries = answer(
    "push_deliveries", .list(PushDelivery.shape.coding), Reply.pushDeliveries, \.pushDeliveries)
  static let apnsEnvironment = answer(
    ApnsVariables.shape, Reply.apnsEnvironment, \.apnsEnvironment)
}

extension RefusalForm<KantineKoning> {
  /// The code, and what belongs to it (§3.1).
  static let refused = json(KantineKoning.Refusal.shape, readUnder: 400..<500, status: \.status)
}
