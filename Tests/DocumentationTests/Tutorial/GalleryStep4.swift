internal import Cellophane

// The code of Sources/Cellophane/Cellophane.docc/Tutorials/Code, step 4.

enum GalleryStep4 {
  /// Scrolls through a list of images in the terminal.
  actor Gallery {
    private let rows: EvenRows
    private let requests: [ImageRequest]
    private let slots: [Slot<ImageDecoder>]
    private let prefetcher: Prefetcher<ImageDecoder>
    private let timeline: Timeline

    /// Lengths in pixels: a row is an image of 16 x 16, the screen has 40 pixels, 20 lines of text.
    private let rowHeight = 16
    private let viewport = 40
    private var offset = 0

    init(_ images: ImageLoader, urls: [String], timeline: Timeline = Timeline()) throws(LoadError) {
      rows = EvenRows(count: urls.count, height: 16)
      var requests: [ImageRequest] = []
      for url in urls {
        requests.append(try ImageRequest(url, size: PixelSize(width: 16, height: 16), priority: .visible))
      }
      self.requests = requests
      // At most four rows are visible, when the screen begins inside one.
      slots = (0..<4).map { _ in Slot(images) }
      prefetcher = Prefetcher(images)
      self.timeline = timeline
    }

    /// Scrolls from the first row to the last one, 30 frames per second. The velocity is in pixels per second.
    func scroll(at velocity: Double) async throws {
      let end = max(0, Int(rows.length) - viewport)
      let start = timeline.now
      while offset < end {
        let elapsed = (timeline.now - start) / .seconds(1)
        move(to: min(end, Int(elapsed * velocity)), velocity: velocity)
        print(frame(), terminator: "")
        try await timeline.sleep(for: .milliseconds(33))
      }
    }

    /// Moves the list, binds a slot to each visible row, and prefetches the rows ahead.
    func move(to offset: Int, velocity: Double = 0) {
      self.offset = offset
      let motion = ListMotion(
        rows, viewport: Double(viewport), offset: Double(offset), velocity: velocity)
      for row in motion.visible {
        let priority = prefetcher.priority(ofVisible: row, in: motion)
        slots[row % slots.count].show(requests[row].with(priority: priority))
      }
      prefetcher.follow(motion) { row in requests[row] }
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

  static func main() async throws {
    let bytes = ByteLoader(
      transport: CurlTransport(), disk: DiskCache(directory: "/tmp/gallery-cache"))
    let images = ImageLoader(bytes: bytes, decoder: ImageDecoder())

    let urls = (0..<500).map { row in
      "http://127.0.0.1:8080/row/\(row).\(row.isMultiple(of: 2) ? "png" : "jpg")"
    }
    let gallery = try Gallery(images, urls: urls)
    print("\u{1B}[2J", terminator: "")
    try await gallery.scroll(at: 80)
    await bytes.settle()
  }
}
