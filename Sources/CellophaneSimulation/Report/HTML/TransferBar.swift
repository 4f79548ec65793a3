/// A transfer along an axis of time: pale until its first byte, full while its body came, hatched when it was given up.
struct TransferBar: Sendable {
  let markup: Markup

  /// The bar of `transfer`, along `x` in seconds.
  init(_ transfer: Recording.Transfer, _ x: Scale, top: Double, height: Double) {
    func bar(_ style: String, _ start: Int64, _ end: Int64) -> Markup {
      let left = x(start.seconds)
      // One that took no time is half a pixel wide, so that it is there.
      let width = max(x(end.seconds) - left, 0.5)
      return #"<rect class="\#(style)" x="\#(left)" y="\#(top)" width="\#(width)" height="\#(height)"/>"#
    }
    let first = min(transfer.firstByte ?? transfer.end, transfer.end)
    markup =
      bar(transfer.outcome.style + " waiting", transfer.start, first)
      + (transfer.firstByte == nil ? "" : bar(transfer.outcome.style, first, transfer.end))
  }
}
