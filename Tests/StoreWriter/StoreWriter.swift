import Storage

@main
enum StoreWriter {
  static func main() {}
}
