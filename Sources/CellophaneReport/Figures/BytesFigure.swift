/// A flow diagram of the received bytes by use.
struct BytesFigure: Sendable {
  /// A share of the received bytes.
  struct Part: Sendable {
    let name: String
    /// An explanation of the name.
    let meaning: String
    let style: String
    let bytes: Double
  }

  /// The parts. Their sum is the number of received bytes.
  let parts: [Part]
  /// The bytes of images that had been received before.
  let repeated: Double?

  /// The height of a label with two text lines, in px.
  private static let labelHeight = 34.0

  var figure: Figure? {
    let total = parts.reduce(0) { $0 + $1.bytes }
    guard total > 0 else { return nil }
    let box = Box(left: 64, top: 20, width: 420, height: 240)
    let parts = parts.filter { $0.bytes > 0 }
    let gap = 8.0
    // A thin band still gets the height of its label.
    let slots = parts.map { max(box.height * $0.bytes / total, Self.labelHeight) }
    let high = slots.reduce(0, +) + gap * Double(parts.count - 1)
    var drawing: Markup = ""
    var source = box.top + (high - box.height) / 2
    var target = box.top
    drawing += #"<rect class="source" x="\#(box.left)" y="\#(source)" width="14" height="\#(box.height)"/>"#
    drawing +=
      #"<text class="label" x="\#(box.left)" y="\#(source - 8)">\#(Quantity.bytes(total)) received</text>"#
    for (part, slot) in zip(parts, slots) {
      let height = box.height * part.bytes / total
      let middle = target + slot / 2
      drawing += band(box, from: source, to: middle - height / 2, height: height, style: part.style)
      let label = middle - 2
      drawing += #"<text class="label strong" x="\#(box.right + 28)" y="\#(label)">\#(part.name)</text>"#
      let words = "\(Quantity.bytes(part.bytes)), \(Quantity.percent(part.bytes / total)): \(part.meaning)"
      drawing += #"<text class="tick" x="\#(box.right + 28)" y="\#(label + 16)">\#(words)</text>"#
      source += height
      target += slot + gap
    }
    return Figure(
      id: "bytes", title: "Received bytes by use",
      reading:
        "The bar at the left is all received bytes. The height of each band is its share. Blue bytes belong to images "
        + "that were on the screen; all others were wasted.",
      panels: [
        Figure.Panel(
          drawing: drawing, height: target + 10,
          description: parts.map { "\($0.name): \(Quantity.bytes($0.bytes))." }.joined(separator: " "))
      ],
      remarks: repeated.map {
        [
          "\(Quantity.bytes($0)), \(Quantity.percent($0 / total)) of all, belong to images that had been received before "
            + "and were no longer in any cache."
        ]
      } ?? [],
      table: Table(
        caption: "Received bytes by use", head: ["", "bytes", "share"],
        rows: parts.map { [$0.name, Quantity.bytes($0.bytes), Quantity.percent($0.bytes / total)] }))
  }

  private func band(_ box: Box, from source: Double, to target: Double, height: Double, style: String)
    -> Markup
  {
    let left = box.left + 14
    let middle = (left + box.right) / 2
    let n = Markup.number
    // Two curves that are horizontal at both ends.
    let path =
      "M\(n(left)) \(n(source))C\(n(middle)) \(n(source)) \(n(middle)) \(n(target)) \(n(box.right)) \(n(target))"
      + "v\(n(height))C\(n(middle)) \(n(target + height)) \(n(middle)) \(n(source + height)) \(n(left)) \(n(source + height))Z"
    return #"<path class="band \#(style)" d="\#(path)"/>"#
      + #"<rect class="\#(style)" x="\#(box.right)" y="\#(target)" width="14" height="\#(max(height, 1))"/>"#
  }
}
