import Cellophane

/// Shows the visible rows of a list of images in the terminal.
actor Gallery {
  private let rows: EvenRows
  private let requests: [ImageRequest]
  private let slots: [Slot<ImageDecoder>]

  /// Lengths in pixels: a row is an image of 16 x 16, the screen has 40 pixels, 20 lines of text.
  private let rowHeight = 16
  private let viewport = 40
  private var offset = 0

  init(_ images: ImageLoader, urls: [String]) throws(LoadError) {
    rows = EvenRows(count: urls.count, height: 16)
    var requests: [ImageRequest] = []
    for url in urls {
      requests.append(try ImageRequest(url, size: PixelSize(width: 16, height: 16), priority: .visible))
    }
    self.requests = requests
    // At most four rows are visible, when the screen begins inside one.
    slots = (0..<4).map { _ in Slot(images) }
  }

  /// Moves the list, and binds a slot to each visible row.
  func move(to offset: Int) {
    self.offset = offset
    for row in rows.rows(from: Double(offset), to: Double(offset + viewport)) {
      slots[row % slots.count].show(requests[row])
    }
  }

  /// The visible part of the list. A line of text is two pixels high.
  func frame() -> String {
    let lines = stride(from: offset, to: offset + viewport, by: 2).map { y in
      let row = y / rowHeight
      guard row < rows.count else { return "" }
      return line(y % rowHeight / 2, of: slots[row % slots.count], row: row)
    }
    return "\u{1B}[H" + lines.map { $0 + "\u{1B}[K\n" }.joined()
  }

  /// One line of a slot.
  private func line(_ number: Int, of slot: Slot<ImageDecoder>, row: Int) -> String {
    switch slot.state {
    case .preview(let image), .shown(let image, from: _):
      let lines = image.lines()
      return number < lines.count ? lines[number] : ""
    case .loading: return number == 0 ? "\(row) ..." : ""
    case .failed(let error, _): return number == 0 ? "\(row) \(error.message)" : ""
    case .empty: return ""
    }
  }
}
