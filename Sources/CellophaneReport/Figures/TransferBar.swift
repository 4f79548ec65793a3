/// The bar of a transfer along a time axis: pale before the first byte, solid during the body, hatched if
/// cancelled.
struct TransferBar: Sendable {
  let markup: Markup

  /// Creates the bar of `transfer` along the scale `x`, in seconds.
  init(_ transfer: Recording.Transfer, _ x: Scale, top: Double, height: Double) {
    func bar(_ style: String, _ start: Int64, _ end: Int64) -> Markup {
      let left = x(start.seconds)
      // At least half a pixel wide, so that a short transfer is visible.
      let width = max(x(end.seconds) - left, 0.5)
      return #"<rect class="\#(style)" x="\#(left)" y="\#(top)" width="\#(width)" height="\#(height)"/>"#
    }
    let first = min(transfer.firstByte ?? transfer.end, transfer.end)
    markup =
      bar(transfer.outcome.style + " waiting", transfer.start, first)
      + (transfer.firstByte == nil ? "" : bar(transfer.outcome.style, first, transfer.end))
  }
}
