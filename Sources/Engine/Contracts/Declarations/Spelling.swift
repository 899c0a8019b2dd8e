/// How values are written: in full where a backend reads them, with secrets shortened where people read along.
public enum Spelling: Sendable {
  case wire(any TokenCodec)
  case redacted

  /// Stands for what is left out.
  public static let ellipsis = "…"
}
