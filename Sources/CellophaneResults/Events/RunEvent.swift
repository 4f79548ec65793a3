package import Cellophane

/// An event of a run on the screen, on the network or in a decoder.
package enum RunEvent: Sendable {
  /// A slot was bound to `row`.
  case bound(slot: Int, row: Int)
  /// The state of a slot changed. The slot is bound to `row`.
  case displayed(slot: Int, row: Int?, SlotState<PictureIdentity>)
  /// A frame is on the screen from its vsync until the next frame's.
  case drawn(ScreenFrame)
  /// A sample of the resident memory of the process, in bytes.
  case resident(Int)
  /// A sample of the size of the memory cache, in bytes. Reported before each frame if an observer needs
  /// progress.
  case cached(Int)
  /// Transfer `number` of `url` began. The numbers of a run count from 0.
  case transferBegan(Int, url: String)
  /// The request of transfer `number` was sent, over the connection with this number if the transport reports
  /// one.
  case transferSent(Int, over: Int?)
  /// The head of the response to transfer `number` arrived.
  case transferAnswered(Int)
  /// The number of bytes that transfer `number` received so far. Reported before each frame if an observer
  /// needs progress.
  case transferProgressed(Int, bytes: Int)
  /// Transfer `number` ended for the loader.
  case transferEnded(Int, TransferOutcome, bytes: Int)
  /// Transfer `number` ended in the transport. The bytes include arrivals after a cancellation.
  case transferClosed(Int, bytes: Int)
  /// Decoding of the file of an image began. The numbers of a run count from 0. Modeled decoders only.
  case decodingBegan(Int, of: PictureIdentity)
  /// Decoding `number` ended, with a value if `isComplete`.
  case decodingEnded(Int, isComplete: Bool)
  /// A frame of an animation was shown, this long after its time. Modeled decoders only.
  case frameShown(late: Duration)
}

/// The end of a transfer.
package enum TransferOutcome: Sendable, Hashable {
  /// Success. `size` is the size of the complete file; nil if the response confirms an older one (304).
  case completed(size: Int?)
  /// Cancellation by the loader.
  case cancelled
  /// An error, or a status that is not a success.
  case failed
}

/// The content of the screen from one vsync to the next.
package struct ScreenFrame: Sendable, Hashable {
  /// The content of a row.
  package struct Cell: Sendable, Hashable {
    let row: Int
    let slot: Int
    /// The visible area of the image, in px²; greater than 0.
    let area: Double
    /// The image in it; nil for a placeholder or a preview.
    let shown: PictureIdentity?
    /// True if it shows a preview.
    var hasPreview = false

    /// Creates a cell.
    package init(row: Int, slot: Int, area: Double, shown: PictureIdentity?, hasPreview: Bool = false) {
      self.row = row
      self.slot = slot
      self.area = area
      self.shown = shown
      self.hasPreview = hasPreview
    }
  }

  /// The number of the frame's vsync, from 0.
  let vsync: Int
  /// The distance from the top of the list to the viewport, in px.
  let offset: Double
  /// The velocity, in px/s, positive downwards.
  let velocity: Double
  /// The delay of the frame, in vsyncs.
  let late: Int
  let cells: [Cell]

  /// Creates a frame.
  package init(vsync: Int, offset: Double, velocity: Double, late: Int, cells: [Cell]) {
    self.vsync = vsync
    self.offset = offset
    self.velocity = velocity
    self.late = late
    self.cells = cells
  }
}
