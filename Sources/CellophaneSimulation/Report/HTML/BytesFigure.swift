/// Where the bytes went that were received.
struct BytesFigure: Sendable {
  /// A part of them.
  struct Part: Sendable {
    let name: String
    /// What it means.
    let meaning: String
    let style: String
    let bytes: Double
  }

  /// The parts, which make up the whole.
  let parts: [Part]
  /// Of all, those of pictures that had been received before.
  let repeated: Double?

  /// The height of two lines of words.
  private static let words = 34.0

  var figure: Figure? {
    let whole = parts.reduce(0) { $0 + $1.bytes }
    guard whole > 0 else { return nil }
    let box = Box(left: 64, top: 20, width: 420, height: 240)
    let parts = parts.filter { $0.bytes > 0 }
    let gap = 8.0
    // A thin band has the room that its words take.
    let slots = parts.map { max(box.height * $0.bytes / whole, Self.words) }
    let high = slots.reduce(0, +) + gap * Double(parts.count - 1)
    var drawing: Markup = ""
    var source = box.top + (high - box.height) / 2
    var target = box.top
    drawing += #"<rect class="source" x="\#(box.left)" y="\#(source)" width="14" height="\#(box.height)"/>"#
    drawing +=
      #"<text class="label" x="\#(box.left)" y="\#(source - 8)">\#(Quantity.bytes(whole)) received</text>"#
    for (part, slot) in zip(parts, slots) {
      let height = box.height * part.bytes / whole
      let middle = target + slot / 2
      drawing += band(box, from: source, to: middle - height / 2, height: height, style: part.style)
      let label = middle - 2
      drawing += #"<text class="label strong" x="\#(box.right + 28)" y="\#(label)">\#(part.name)</text>"#
      let words = "\(Quantity.bytes(part.bytes)), \(Quantity.percent(part.bytes / whole)): \(part.meaning)"
      drawing += #"<text class="tick" x="\#(box.right + 28)" y="\#(label + 16)">\#(words)</text>"#
      source += height
      target += slot + gap
    }
    return Figure(
      id: "bytes", title: "Where the bytes went",
      reading:
        "The bar at the left is everything that was received; each band is as high as its share. What is not blue "
        + "was paid for and never seen.",
      panels: [
        Figure.Panel(
          drawing: drawing, height: target + 10,
          description: parts.map { "\($0.name): \(Quantity.bytes($0.bytes))." }.joined(separator: " "))
      ],
      remarks: repeated.map {
        [
          "\(Quantity.bytes($0)), \(Quantity.percent($0 / whole)) of all, were of pictures that had been received whole "
            + "before and were no longer in any cache."
        ]
      } ?? [],
      table: Table(
        caption: "The bytes", head: ["", "bytes", "share"],
        rows: parts.map { [$0.name, Quantity.bytes($0.bytes), Quantity.percent($0.bytes / whole)] }))
  }

  private func band(_ box: Box, from source: Double, to target: Double, height: Double, style: String)
    -> Markup
  {
    let left = box.left + 14
    let middle = (left + box.right) / 2
    let n = Markup.number
    // Two curves that leave and arrive level.
    let path =
      "M\(n(left)) \(n(source))C\(n(middle)) \(n(source)) \(n(middle)) \(n(target)) \(n(box.right)) \(n(target))"
      + "v\(n(height))C\(n(middle)) \(n(target + height)) \(n(middle)) \(n(source + height)) \(n(left)) \(n(source + height))Z"
    return #"<path class="band \#(style)" d="\#(path)"/>"#
      + #"<rect class="\#(style)" x="\#(box.right)" y="\#(target)" width="14" height="\#(max(height, 1))"/>"#
  }
}
