/// The received bytes of each loader by use.
struct BytesFigure: Sendable {
  /// A share of the received bytes.
  struct Part: Sendable {
    let name: String
    /// An explanation of the name.
    let meaning: String
    let style: String
    let bytes: Double
  }

  /// The bytes of one loader.
  struct Bar: Sendable {
    let loader: String
    /// The parts. Their sum is the number of received bytes.
    let parts: [Part]
    /// The bytes of images that had been received before.
    let repeated: Double?

    fileprivate var total: Double { parts.reduce(0) { $0 + $1.bytes } }
  }

  /// The bars, Cellophane's first.
  let bars: [Bar]

  private static let height = 44.0

  var figure: Figure? {
    guard let first = bars.first, let most = bars.map(\.total).max(), most > 0 else { return nil }
    let box = Box(
      left: 92, top: 6, width: Figure.column - 92 - 12, height: Double(bars.count) * Self.height)
    let plot = Plot(box, x: 0...most, y: 0...1)
    var drawing = plot.columns(about: 4, Quantity.roundBytes)
    for (index, bar) in bars.enumerated() {
      let top = box.top + Double(index) * Self.height
      drawing += #"<text class="label end" x="\#(box.left - 8)" y="\#(top + 18)">\#(bar.loader)</text>"#
      drawing +=
        #"<text class="tick end" x="\#(box.left - 8)" y="\#(top + 33)">\#(Quantity.bytes(bar.total))</text>"#
      var start = 0.0
      for part in bar.parts where part.bytes > 0 {
        let (left, right) = (plot.x(start), plot.x(start + part.bytes))
        drawing += "<g><title>\(bar.loader), \(part.name): \(Self.text(part, of: bar))</title>"
        drawing +=
          #"<rect class="\#(part.style)" x="\#(left)" y="\#(top + 6)" width="\#(max(right - left, 0.5))" height="30"/></g>"#
        start += part.bytes
      }
    }
    return Figure(
      id: "bytes", title: "Received bytes by use",
      reading:
        "Each bar is all bytes that a loader received. Blue bytes belong to images that were on the screen; all "
        + "others were wasted.",
      panels: [
        Figure.Panel(
          drawing: drawing, width: Figure.column, height: box.bottom + 28,
          description: bars.map { "\($0.loader): \(Quantity.bytes($0.total))." }.joined(separator: " "))
      ], layout: .single, legend: first.parts.map { ($0.style, "\($0.name): \($0.meaning)") },
      remarks: bars.compactMap { bar in
        bar.repeated.map {
          "\(bar.loader): \(Self.share($0, of: bar)) belong to images that had been received before."
        }
      },
      table: Table(
        caption: "Received bytes by use", head: [""] + bars.map(\.loader),
        rows: first.parts.indices.map { index in
          [first.parts[index].name] + bars.map { Self.text($0.parts[index], of: $0) }
        }))
  }

  private static func text(_ part: Part, of bar: Bar) -> String { share(part.bytes, of: bar) }

  private static func share(_ bytes: Double, of bar: Bar) -> String {
    "\(Quantity.bytes(bytes)), \(Quantity.percent(bar.total > 0 ? bytes / bar.total : 0))"
  }
}
