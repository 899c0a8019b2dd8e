import Mustache

/// A template of the folder `Files`, which is compiled into the program, with the escaping of the format it writes. It may insert others
/// by name.
///
/// Mustache's own HTML escaping works on grapheme clusters and lets a `<` with a combining mark through; so every
/// template here states one of our content types.
struct Template: Sendable {
  private enum Format: String, CaseIterable {
    case markup = "REHEARSAL-MARKUP"
    case markdown = "REHEARSAL-MARKDOWN"

    init(ofFile name: String) { self = name.hasSuffix(".md") ? .markdown : .markup }
  }

  private struct Markup: MustacheContentType {
    func escapeText(_ text: String) -> String { Escaping.markup(text) }
  }

  private struct Markdown: MustacheContentType {
    func escapeText(_ text: String) -> String { Escaping.markdown(text) }
  }

  private static let all: MustacheLibrary = {
    MustacheContentTypes.register(Markup(), named: Format.markup.rawValue)
    MustacheContentTypes.register(Markdown(), named: Format.markdown.rawValue)
    var library = MustacheLibrary()
    for (name, text) in EmbeddedFiles.texts
    where !name.hasSuffix(".css") && !name.hasSuffix(".js") {
      let format = Format(ofFile: name)
      do {
        try library.register("{{% CONTENT_TYPE: \(format.rawValue)}}\n" + text, named: name)
      } catch {
        preconditionFailure("\(name), a template of ours, does not parse: \(error)")
      }
    }
    return library
  }()

  private let name: String

  /// - Parameter name: That of its file.
  init(_ name: String) {
    precondition(Self.all.getTemplate(named: name) != nil, "there is no template \(name)")
    self.name = name
  }

  func render(_ model: some Sendable) -> String { Self.all.render(model, withTemplate: name) ?? "" }
}

extension EmbeddedFiles {
  static let style = ["colours.css", "chart.css", "page.css"].compactMap { texts[$0] }.joined()
  /// Of a picture in a file of its own.
  static let pictureStyle = ["colours.css", "chart.css"].compactMap { texts[$0] }.joined()
  static let script = texts["page.js"] ?? ""
}
