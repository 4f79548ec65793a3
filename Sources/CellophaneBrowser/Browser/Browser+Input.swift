internal import Cellophane
internal import CellophaneScreens

extension Browser {
  /// Handles `bytes` from the terminal.
  func read(_ bytes: [UInt8]) {
    reads += 1
    for key in reader.read(bytes) { take(key) }
    guard reader.isWaiting else { return }
    parts.timeline.spawn { [weak self, reads, timeline = parts.timeline] in
      try? await timeline.sleep(for: KeyReader.sequenceTimeout)
      guard let self, self.reads == reads else { return }
      for key in reader.flush() { take(key) }
    }
  }

  private func take(_ key: Key) {
    setNeedsFrame()
    if scroll(by: key) { return }
    if isTyping { return type(key) }
    switch key {
    case .text("q"), .control("c"): leave()
    case .text("/"): isTyping = true
    case .text("j"): push(lines: Double(geometry.rowLines))
    case .text("k"): push(lines: -Double(geometry.rowLines))
    case .text(" "): push(lines: Double(pageLines))
    case .text("g"): listing.scroller.jump(to: 0, at: parts.timeline.now)
    case .text("G"): listing.scroller.jump(to: listing.lines.layout.length, at: parts.timeline.now)
    case .text("r"): retry()
    case .control("r"): listing.list.refresh()
    case .control("l"): redraw()
    case .escape: search.search(for: "")
    default: break
    }
  }

  /// Handles a key that moves the list, also during a search; returns false for any other key.
  private func scroll(by key: Key) -> Bool {
    switch key {
    case .up: push(lines: -Double(geometry.rowLines))
    case .down: push(lines: Double(geometry.rowLines))
    case .wheelUp: push(lines: -4)
    case .wheelDown: push(lines: 4)
    case .pageUp: push(lines: -Double(pageLines))
    case .pageDown: push(lines: Double(pageLines))
    case .home: listing.scroller.jump(to: 0, at: parts.timeline.now)
    case .end: listing.scroller.jump(to: listing.lines.layout.length, at: parts.timeline.now)
    default: return false
    }
    return true
  }

  private func type(_ key: Key) {
    var text = search.state.text
    switch key {
    case .text(let typed), .paste(let typed): text += typed.printable
    case .backspace, .control("h"): _ = text.popLast()
    case .control("u"): text = ""
    case .control("w"):
      while text.last?.isWhitespace == true { text.removeLast() }
      while let last = text.last, !last.isWhitespace { text.removeLast() }
    case .control("c"): return leave()
    case .enter:
      isTyping = false
      return search.submit()
    case .escape:
      isTyping = false
      text = ""
    default: return
    }
    search.search(for: text)
  }

  private func retry() {
    search.retry()
    listing.list.retry()
    for row in listing.list.rows.visible { listing.list.rows.retry(row) }
  }

  private var pageLines: Int { max(1, geometry.list.count - geometry.rowLines) }

  private func push(lines: Double) {
    listing.scroller.push(by: lines * ListLines.unit, at: parts.timeline.now)
  }
}
