import Mustache

/// A template compiled into the program, with the escaping of the format it writes.
///
/// Mustache's own HTML escaping works on grapheme clusters and lets a `<` with a combining mark through; so every
/// template here states one of our content types.
struct Template: Sendable {
  enum Format: String {
    case markup = "REHEARSAL-MARKUP"
    case markdown = "REHEARSAL-MARKDOWN"
  }

  private struct Markup: MustacheContentType {
    func escapeText(_ text: String) -> String { Escaping.markup(text) }
  }

  private struct Markdown: MustacheContentType {
    func escapeText(_ text: String) -> String { Escaping.markdown(text) }
  }

  private static let registered: Void = {
    MustacheContentTypes.register(Markup(), named: Format.markup.rawValue)
    MustacheContentTypes.register(Markdown(), named: Format.markdown.rawValue)
  }()

  private let template: MustacheTemplate

  init(_ format: Format, _ text: String) {
    _ = Self.registered
    do {
      template = try MustacheTemplate(string: "{{% CONTENT_TYPE: \(format.rawValue)}}\n" + text)
    } catch {
      preconditionFailure("a template of ours does not parse: \(error)")
    }
  }

  func render(_ model: some Sendable) -> String { template.render(model) }
}
