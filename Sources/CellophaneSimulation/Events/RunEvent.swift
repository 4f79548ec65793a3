internal import Cellophane

/// Something that happens in a run, on the screen, on the line or in a decoder.
enum RunEvent: Sendable {
  /// A slot stands for `row` from now on.
  case bound(slot: Int, row: Int)
  /// The state of a slot changed; it stands for `row`.
  case displayed(slot: Int, row: Int?, SlotState<PictureIdentity>)
  /// A frame is on the screen, from its vsync on until the next one's.
  case drawn(ScreenFrame)
  /// The memory that the process has in RAM, in bytes.
  case resident(Int)
  /// What the memory cache holds, in bytes. Told before a frame, to those who want to know of progress.
  case cached(Int)
  /// Transfer `number` of `url` began. Numbers count up from 0 in a run.
  case transferBegan(Int, url: String)
  /// The request of transfer `number` goes out, over the connection of this number where the transport tells.
  case transferSent(Int, over: Int?)
  /// The head of the answer to transfer `number` is there.
  case transferAnswered(Int)
  /// Transfer `number` has received so many bytes of its body. Told before a frame, to those who want it.
  case transferProgressed(Int, bytes: Int)
  /// Transfer `number` is over for the loader.
  case transferEnded(Int, TransferOutcome, bytes: Int)
  /// The transport has done with transfer `number`, with all the bytes that came, also after it was given up.
  case transferLeft(Int, bytes: Int)
  /// Decoding of the file of `picture` began. Numbers count up from 0 in a run. Told by modelled decoders only.
  case decodingBegan(Int, of: PictureIdentity)
  /// Decoding `number` ended, for a value or not.
  case decodingEnded(Int, isWhole: Bool)
}

/// How a transfer ended.
enum TransferOutcome: Sendable, Hashable {
  /// With a success; `size` is that of the whole file, nil when the answer says that an older one still holds.
  case completed(size: Int?)
  /// Given up by the loader.
  case cancelled
  /// By an error, or by a status that is not a success.
  case failed
}

/// What was on the screen from one vsync to the next.
struct ScreenFrame: Sendable, Hashable {
  /// What one row showed.
  struct Cell: Sendable, Hashable {
    let row: Int
    let slot: Int
    /// The visible part of the picture's place, in px²; more than 0.
    let area: Double
    /// What was in it; nil for a placeholder or a preview.
    let shown: PictureIdentity?
    /// Whether it was a preview.
    var hasPreview = false
  }

  /// The number of its vsync, from 0.
  let vsync: Int
  /// The distance of the viewport from the top of the list, in px.
  let offset: Double
  /// In px/s, positive downwards.
  let velocity: Double
  /// How much later than it should the frame was ready, in whole vsyncs.
  let late: Int
  let cells: [Cell]
}
