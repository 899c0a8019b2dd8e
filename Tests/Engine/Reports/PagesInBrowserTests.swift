import Foundation
import Reports
import Runs
import Testing

/// Pages as a browser shows them: what invariants on text cannot show.
@Suite(.serialized, .enabled(if: DevTools.path != nil, "no chromium or chrome was found"))
struct `Pages in a browser` {
  static let runs: [(name: String, run: Run)] = [
    ("failing", SampleRun.failing), ("slower", SampleRun.slower), ("load", SampleLoad.climbing),
    ("city", SampleRun.city),
  ]

  /// Where parts of a page end, by their ids.
  private func bottoms(_ ids: [String], _ browser: DevTools) throws -> [String: Double] {
    let found = try browser.value(
      """
      Object.fromEntries(\(ids).map(id => [id, document.getElementById(id).getBoundingClientRect().bottom]))
      """)
    return try #require(found as? [String: Double])
  }

  @Test func `one screen holds verdict, ribbon, objectives, flows and rules of three backends`()
    throws
  {
    let browser = try DevTools()
    let parts = ["verdict", "failures", "day", "room", "stories", "map"]
    for (width, height, parts) in [
      (1_300, 900, parts), (1_900, 1_080, parts), (390, 844, ["verdict", "failures", "day"]),
    ] {
      try browser.show(Page.bytes(for: SampleRun.city), width: width, height: height)
      for (part, bottom) in try bottoms(parts, browser) {
        #expect(bottom > 0 && bottom <= Double(height), "\(part) at \(width) ends at \(bottom)")
      }
      // Words and figures of the picture stay as large as those beside it.
      let least = try browser.value(
        """
        Math.min(...[...document.querySelectorAll('#day text')].filter(t => t.getClientRects().length)
          .map(t => parseFloat(getComputedStyle(t).fontSize) * t.ownerSVGElement.getScreenCTM().a))
        """)
      #expect((least as? Double ?? 0) >= 8.5, "\(width)")
    }
  }

  @Test(arguments: runs.indices)
  func `no table is wider than its place, and no page than its window`(index: Int) throws {
    let browser = try DevTools()
    for width in [390, 800, 1_300] {
      try browser.show(Page.bytes(for: Self.runs[index].run), width: width)
      let wide = try browser.value(
        """
        document.querySelectorAll('details').forEach(d => d.open = true);
        [...document.querySelectorAll('table')].filter(t => t.scrollWidth > t.parentNode.clientWidth)
          .map(t => t.caption.textContent + ' ' + t.scrollWidth + ' > ' + t.parentNode.clientWidth)
          .concat(document.documentElement.scrollWidth > \(width) ? ['the page'] : []).join('; ')
        """)
      #expect(wide as? String == "", "\(Self.runs[index].name) at \(width)")
    }
  }

  @Test(arguments: runs.indices)
  func `no figure of a table is broken over lines`(index: Int) throws {
    let browser = try DevTools()
    try browser.show(Page.bytes(for: Self.runs[index].run), width: 390)
    let broken = try browser.value(
      """
      document.querySelectorAll('details').forEach(d => d.open = true);
      (() => {
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
        while (walker.nextNode()) {
          const node = walker.currentNode;
          if (!node.parentElement.closest('table:not(.stack) td.num')) continue;
          for (const word of node.data.matchAll(/[0-9][0-9.,]*/g)) {
            const range = document.createRange();
            range.setStart(node, word.index);
            range.setEnd(node, word.index + word[0].length);
            if (new Set([...range.getClientRects()].map(r => r.top)).size > 1) found.push(word[0]);
          }
        }
        return found.join('; ');
      })()
      """)
    #expect(broken as? String == "")
  }

  @Test(arguments: runs.indices)
  func `everything has a name where a reader does not see it`(index: Int) throws {
    let browser = try DevTools()
    for width in [390, 1_300] {
      try browser.show(Page.bytes(for: Self.runs[index].run), width: width)
      let nodes = try browser.accessibilityTree()
      let speaking: Set<String> = [
        "image", "img", "link", "button", "textbox", "DisclosureTriangle", "table", "heading",
        "region", "columnheader", "rowheader",
      ]
      for node in nodes where speaking.contains(node.role) {
        #expect(!node.name.trimmingCharacters(in: .whitespaces).isEmpty, "\(node)")
      }
      let pictures = nodes.filter { ["image", "img"].contains($0.role) }
      let drawn = try browser.value(
        """
        [...document.querySelectorAll('svg')].filter(s => s.getBoundingClientRect().width > 0).length
        """)
      #expect(pictures.count == drawn as? Int && pictures.count > 5)
      for picture in pictures { #expect(picture.description.count > 10, "\(picture)") }
      // What a pointer is told slice by slice is said in the picture's own text.
      #expect(!nodes.contains { $0.role == "graphics-symbol" })
      // A square of the matrix is named by what it counts.
      let cells = try browser.value(
        """
        [...document.querySelectorAll('.matrix td')].filter(e => !e.title).length
        """)
      #expect(cells as? Int == 0)
      #expect(nodes.contains { $0.name == "all 1,098 refused, rightly" } == (index != 2))
      // A verdict is a word and a sign, whatever its colour.
      let tones = try browser.value(
        """
        [...document.querySelectorAll('span.badge, .word, a.q, .grant')]
          .filter(e => !(e.textContent.trim() || e.title)).length
        """)
      #expect(tones as? Int == 0)
    }
  }

  /// WCAG 2.2, 1.4.3 and 1.4.11: words 4.5 to 1 (large ones 3), what has to be told from its ground 3 to 1.
  @Test(arguments: [false, true])
  func `words and marks stand out from what is behind them`(dark: Bool) throws {
    let browser = try DevTools()
    for (name, run) in Self.runs {
      try browser.show(Page.bytes(for: run), width: 1_300, dark: dark)
      let faint = try browser.value(Self.contrast)
      #expect(faint as? String == "", "\(name)")
    }
  }

  private static let contrast = """
    (() => {
      document.querySelectorAll('details').forEach(d => d.open = true);
      const parse = c => { const m = c.match(/[\\d.]+/g); return m ? m.map(Number) : [0, 0, 0, 0]; };
      const light = c => {
        const f = c.slice(0, 3).map(v => v / 255).map(v => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
        return .2126 * f[0] + .7152 * f[1] + .0722 * f[2];
      };
      const over = (top, ground) => {
        const a = top.length > 3 ? top[3] : 1;
        return [0, 1, 2].map(i => top[i] * a + ground[i] * (1 - a));
      };
      const ground = e => {
        const stack = [];
        for (let n = e; n; n = n.parentElement) stack.push(parse(getComputedStyle(n).backgroundColor));
        return stack.reverse().reduce((below, c) => over(c, below), [255, 255, 255]);
      };
      const ratio = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + .05) / (y + .05); };
      const found = new Set();
      const note = (e, colour, least) => {
        const style = getComputedStyle(e), below = ground(e);
        const opacity = Number(style.opacity);
        const top = over([...colour.slice(0, 3), (colour.length > 3 ? colour[3] : 1) * opacity], below);
        const r = ratio(top, below);
        if (r < least) found.add((e.getAttribute('class') || e.tagName) + ' ' + r.toFixed(2));
      };
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const e = walker.currentNode.parentElement;
        if (!walker.currentNode.data.trim() || !e.getClientRects().length) continue;
        if (e.closest('script, style, title, desc, .sr')) continue;
        const style = getComputedStyle(e), size = parseFloat(style.fontSize);
        const isLarge = size >= 24 || size >= 18.66 && Number(style.fontWeight) >= 700;
        note(e, parse(e.closest('svg') ? style.fill : style.color), isLarge ? 3 : 4.5);
      }
      const marks = '.replied, .refused, .lost, .dot, .mark.half, .mark.after, .loss, .on, .curve, .bound, .whisker, .mark.tail, .mark.end, .mark.before, .link, .fault-badge, .event';
      for (const e of document.querySelectorAll(marks)) {
        if (!e.closest('svg')) continue;
        const style = getComputedStyle(e);
        const fill = parse(style.fill), line = parse(style.stroke);
        // The stronger of its filling and its outline tells it from its ground.
        const best = [style.fill, style.stroke].filter(c => c !== 'none').map(parse)
          .sort((a, b) => ratio(b, ground(e)) - ratio(a, ground(e)))[0];
        if (best) note(e, best, 3);
      }
      return [...found].join('; ');
    })()
    """

  @Test func `a keyboard reaches the verdict, the map and every fold`() throws {
    let browser = try DevTools()
    try browser.show(Page.bytes(for: SampleRun.failing), width: 1_300)
    try browser.press("Tab", code: 9)
    #expect(try browser.value("document.activeElement.className") as? String == "skip")
    var reached: [String] = []
    for _ in 0..<60 {
      try browser.press("Tab", code: 9)
      let place = try browser.value(
        """
        (e => (e.closest('#map') ? 'map' : '') + e.tagName + (e.tagName === 'SUMMARY' ? ':' + e.textContent : ''))(document.activeElement)
        """)
      reached.append(place as? String ?? "")
      if reached.last?.hasSuffix("Response times") == true { break }
    }
    #expect(reached.contains("mapA"))
    #expect(reached.last == "SUMMARY:Response times")
    let isOpen = "document.activeElement.parentNode.open"
    #expect(try browser.value(isOpen) as? Bool == false)
    try browser.press("Enter", code: 13)
    #expect(try browser.value(isOpen) as? Bool == true)
  }

  @Test func `arrow keys go from square to square of the matrix, and each says its numbers`() throws
  {
    let browser = try DevTools()
    try browser.show(Page.bytes(for: SampleRun.failing), width: 390)
    let named = try browser.value(
      """
      document.querySelectorAll('details').forEach(d => d.open = true);
      (() => {
        const place = document.querySelector('[data-named]'), cells = place.querySelectorAll('td');
        const stops = [...cells].filter(c => c.tabIndex === 0).length;
        cells[0].focus();
        cells[0].dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowDown', bubbles: true}));
        const below = document.activeElement;
        return [stops, below.cellIndex === cells[0].cellIndex && below.parentNode.rowIndex === 2,
          place.querySelector('.named').textContent.endsWith(': ' + below.title)].join(' ');
      })()
      """)
    #expect(named as? String == "1 true true")
  }

  /// WCAG 2.2, 2.5.8: 24 pixels with what is between them.
  @Test func `a finger meets one square of the map`() throws {
    let browser = try DevTools()
    try browser.show(Page.bytes(for: SampleRun.city), width: 390)
    let close = try browser.value(
      """
      (() => {
        const middles = [...document.querySelectorAll('a.q')].map(e => e.getBoundingClientRect())
          .map(r => [r.left + r.width / 2, r.top + r.height / 2]);
        return middles.filter(([x, y], i) => middles.some(([u, v], j) => i !== j && Math.hypot(x - u, y - v) < 23.9)).length;
      })()
      """)
    #expect(close as? Int == 0)
  }

  @Test func `the sign of a fold lies within the page, however narrow that is`() throws {
    let browser = try DevTools()
    try browser.show(Page.bytes(for: SampleRun.failing), width: 390)
    // One that hangs outside its summary would need more room than the page's margin.
    let outside = try browser.value(
      """
      [...document.querySelectorAll('summary')]
        .filter(s => getComputedStyle(s).listStylePosition !== 'inside').length
      """)
    #expect(outside as? Int == 0)
  }

  /// Chromium repeats no head of a table that holds a button's box.
  @Test func `paper repeats the heads of tables, and parts no paragraph from what it introduces`()
    throws
  {
    let browser = try DevTools()
    try browser.show(Page.bytes(for: SampleRun.failing), width: 695, media: "print")
    let boxes = try browser.value(
      """
      [...document.querySelectorAll('[data-sortable] thead *')]
        .filter(e => getComputedStyle(e).display === 'inline-block').length
      """)
    #expect(boxes as? Int == 0)
    #expect(
      try browser.value("document.querySelectorAll('thead button').length > 5") as? Bool == true)
    let parted = try browser.value(
      """
      [...document.querySelectorAll('.fold>section>p:not(:last-child)')].map(p => getComputedStyle(p))
        .filter(s => s.breakInside !== 'avoid' || s.breakAfter !== 'avoid').length
      """)
    #expect(parted as? Int == 0)
  }

  @Test(arguments: [SampleRun.failing, SampleRun.city])
  func `paper has the first screen on its first page and few more`(run: Run) throws {
    let browser = try DevTools()
    try browser.show(Page.bytes(for: run), width: 1_300)
    let sheets = try browser.sheets()
    #expect((2...10).contains(sheets))
    // As wide as A4 within its margins, and as high.
    try browser.show(Page.bytes(for: run), width: 695, height: 1_024, media: "print")
    // What is not printed is not referred to.
    let dangling = try browser.value(
      """
      [...document.querySelectorAll('a[href="#appendix"]')].filter(a => a.getClientRects().length).length
      """)
    #expect(dangling as? Int == 0)
    let parts = ["verdict", "failures", "day", "room", "stories", "map"]
    for (part, bottom) in try bottoms(parts, browser) {
      #expect(bottom > 0 && bottom <= 1_024, "\(part) ends at \(bottom)")
    }
  }
}
