internal import Cellophane

// The code of Sources/Cellophane/Cellophane.docc/Tutorials/Code, step 2.

enum GalleryStep2 {
  /// Shows one image at a time in the terminal.
  actor Gallery {
    private let slot: Slot<ImageDecoder>
    private let timeline: Timeline

    init(_ images: ImageLoader, timeline: Timeline = Timeline()) {
      slot = Slot(images)
      self.timeline = timeline
    }

    /// Shows the image at `url`, and draws until it is complete.
    func show(_ url: String) async throws {
      slot.show(try ImageRequest(url, size: PixelSize(width: 32, height: 32)))
      while case .loading = slot.state {
        print(lines().joined(separator: "\n"))
        try await timeline.sleep(for: .milliseconds(50))
      }
      print(lines().joined(separator: "\n"))
    }

    /// The slot's state as lines of text.
    func lines() -> [String] {
      switch slot.state {
      case .empty: []
      case .loading: ["loading ..."]
      case .preview(let image), .shown(let image, from: _): image.lines()
      case .failed(let error, _): [error.message]
      }
    }
  }

  static func main() async throws {
    let bytes = ByteLoader(transport: CurlTransport())
    let images = ImageLoader(bytes: bytes, decoder: ImageDecoder())

    let gallery = Gallery(images)
    try await gallery.show("http://127.0.0.1:8080/row/0.png")
    try await gallery.show("http://127.0.0.1:8080/row/1.jpg")
  }
}
