internal import Cellophane
internal import Synchronization

/// The content of the screen in one frame of a run of Cellophane, for a live view.
package struct LiveFrame: Sendable, Hashable {
  /// The content of the image area of a row.
  package enum Content: Sendable, Hashable {
    case blank, preview, picture
  }

  /// The image area of a row, in px from the upper left corner of the screen. Parts of it may be outside the
  /// screen.
  package struct Cell: Sendable, Hashable {
    /// The row.
    package let row: Int
    /// The position and the size.
    package let left, top, width, height: Double
    /// The content.
    package let content: Content

    /// Creates the cell of `row`.
    package init(row: Int, left: Double, top: Double, width: Double, height: Double, content: Content) {
      self.row = row
      self.left = left
      self.top = top
      self.width = width
      self.height = height
      self.content = content
    }
  }

  /// The time since the start of the run.
  package let time: Duration
  /// The size of the screen, in px.
  package let width, height: Double
  /// The velocity of the list, in px/s, positive downwards.
  package let velocity: Double
  /// The number of running transfers.
  package let inFlight: Int
  /// The visible image area without its image, and the complete visible image area, in px².
  package let blank, area: Double
  /// The rows on the screen.
  package let cells: [Cell]

  /// Creates a frame.
  package init(
    time: Duration, width: Double, height: Double, velocity: Double, inFlight: Int, blank: Double,
    area: Double,
    cells: [Cell]
  ) {
    self.time = time
    self.width = width
    self.height = height
    self.velocity = velocity
    self.inFlight = inFlight
    self.blank = blank
    self.area = area
    self.cells = cells
  }
}

/// An observer that reports every frame of a run.
package final class FrameReader: RunObserver {
  private struct State {
    var contents = SlotContents()
    var inFlight = 0
  }

  private let scene: RecordedScene
  private let report: @Sendable (LiveFrame) -> Void
  private let state = Mutex(State())

  /// Creates an observer that reports the frames of a run of `scene`, on the thread of the run.
  init(_ scene: RecordedScene, _ report: @escaping @Sendable (LiveFrame) -> Void) {
    self.scene = scene
    self.report = report
  }

  package func note(_ event: RunEvent, at time: Duration) {
    let frame = state.withLock { state -> LiveFrame? in
      switch event {
      case .bound(let slot, _): state.contents.bind(slot)
      case .displayed(let slot, _, let content): state.contents.display(content, in: slot)
      case .transferBegan: state.inFlight += 1
      case .transferEnded: state.inFlight -= 1
      case .drawn(let frame): return live(frame, state, at: time)
      default: break
      }
      return nil
    }
    if let frame { report(frame) }
  }

  private func live(_ frame: ScreenFrame, _ state: State, at time: Duration) -> LiveFrame {
    var (blank, area) = (0.0, 0.0)
    let cells = frame.cells.map { cell in
      let bounds = scene.bounds(of: cell.row, at: time)
      let content = state.contents[cell.slot]
      area += cell.area
      if content != .picture { blank += cell.area }
      return LiveFrame.Cell(
        row: cell.row, left: Double(bounds.left), top: Double(bounds.top) - frame.offset,
        width: Double(bounds.width),
        height: Double(bounds.height), content: content)
    }
    let viewport = scene.layout(at: time).viewport
    return LiveFrame(
      time: time, width: Double(viewport.width), height: Double(viewport.height),
      velocity: frame.velocity, inFlight: state.inFlight, blank: blank, area: area, cells: cells)
  }
}

/// The content of each slot.
struct SlotContents: Sendable {
  private var contents: [Int: LiveFrame.Content] = [:]

  /// The content of `slot`.
  subscript(slot: Int) -> LiveFrame.Content { contents[slot] ?? .blank }

  /// Clears `slot`, because it was bound to another row.
  mutating func bind(_ slot: Int) { contents[slot] = nil }

  /// Updates `slot` to its new state.
  mutating func display(_ state: SlotState<PictureIdentity>, in slot: Int) {
    contents[slot] =
      switch state {
      case .preview: .preview
      case .shown: .picture
      case .empty, .failed: nil
      case .loading(let previous): previous == nil ? nil : .picture
      }
  }
}
