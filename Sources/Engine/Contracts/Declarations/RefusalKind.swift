/// The codes with which a backend refuses.
public protocol RefusalKind: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
  /// The HTTP status under which it travels.
  var status: Int { get }
}
