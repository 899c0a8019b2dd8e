extension KantineKoningBackend {
  /// Where debug builds of the app look for their backend (§3.1).
  public var port: Int { 4000 }
}
