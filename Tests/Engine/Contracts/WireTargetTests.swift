import Contracts
import Testing

@Suite struct `Request targets` {
  @Test(arguments: [
    "/", "/api", "/api/", "/a%20b/c%2Fd?x=1&y=%26%3D", "/courier/1/t?timeout=30", "/x?a=&a=2",
    "//x",
  ])
  func `a target that is written as RFC 3986 has it reads back as it was`(text: String) {
    #expect(WireTarget(parsing: text).text == text)
  }

  @Test func `a query is decoded as forms are, a path is not`() {
    let target = WireTarget(parsing: "/a+b?q=a+b%2Bc&flag&q=2")
    #expect(target.path == ["a+b"])
    #expect(target.query["q"] == "a b+c")
    #expect(target.query["flag"] == "")
    #expect(target.query.count(of: "q") == 2)
  }

  @Test func `a sign before a combining mark is that sign, as its bytes say`() {
    let target = WireTarget(parsing: "/\u{301}a/\u{308}b?\u{301}x=\u{308}1&\u{301}y=2")
    #expect(target.path == ["\u{301}a", "\u{308}b"])
    #expect(target.query.items.map(\.name) == ["\u{301}x", "\u{301}y"])
    #expect(WireCookies("a=\u{301}1;\u{308}b=2")["a"] == "\u{301}1")
    #expect("a\"\u{301}b\"".replacing(scalars: "\"", with: "\"\"") == "a\"\"\u{301}b\"\"")
  }

  @Test func `the origin of an absolute target is dropped`() {
    #expect(WireTarget.withoutOrigin("http://localhost:8080/a/b?c=/d") == "/a/b?c=/d")
    #expect(WireTarget.withoutOrigin("http://localhost") == "/")
    #expect(WireTarget.withoutOrigin("/a//b") == "/a//b")
  }

  @Test func `bytes that are no escape stay, text that is no ASCII goes as UTF-8`() {
    #expect(WireForm.decode("100%, %zz %C3%A4", plusIsBlank: true) == "100%, %zz ä")
    #expect(WireForm.encode("ä~/") == "%C3%A4~%2F")
    let form: WireForm = ["a": "1 & 2", "b": nil, "c": ""]
    #expect(form.text == "a=1%20%26%202&c=")
    #expect(WireForm(parsing: form.text) == form)
  }

  @Test func `an answer may be a document, a page or nothing`() {
    #expect(WireResponse(204).content == .empty)
    #expect(WireResponse(200, body: [:]).body == [:])
    let page = WireResponse(200, content: WireResponse.page("<p>"))
    #expect(page.text == "<p>")
    #expect(page.body == nil)
  }
}
