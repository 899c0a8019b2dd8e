import RunFolders
import Testing

@Suite struct `A path` {
  @Test(arguments: [
    ("q", "", "q"), ("", "", ""), ("/", "/", ""), ("//", "/", ""), ("/q", "/", "q"), (".", "", "."),
    ("a/q", "a", "q"), ("a//q//", "a", "q"), ("/a/b/q", "/a/b", "q"), ("q/", "", "q"),
    ("ä/é", "ä", "é"),
  ])
  func `has a folder and a name, however short it is`(path: String, folder: String, name: String) {
    #expect(Path.folder(of: path) == folder)
    #expect(Path.name(of: path) == name)
  }
}
