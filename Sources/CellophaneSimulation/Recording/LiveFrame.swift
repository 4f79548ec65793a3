internal import Cellophane
internal import Synchronization

/// What is on the screen in one frame of a run of Cellophane, for who watches it.
public struct LiveFrame: Sendable, Hashable {
  /// What the place of a row's picture shows.
  public enum Content: Sendable, Hashable {
    case blank, preview, picture
  }

  /// The place of a row's picture, in px from the upper left corner of the screen; parts of it may lie outside.
  public struct Cell: Sendable, Hashable {
    /// The row.
    public let row: Int
    /// Its place.
    public let left, top, width, height: Double
    /// What it shows.
    public let content: Content

    /// A cell of `row`.
    public init(row: Int, left: Double, top: Double, width: Double, height: Double, content: Content) {
      self.row = row
      self.left = left
      self.top = top
      self.width = width
      self.height = height
      self.content = content
    }
  }

  /// The time of the run.
  public let time: Duration
  /// The screen, in px.
  public let width, height: Double
  /// How fast the list moves, in px/s, positive downwards.
  public let velocity: Double
  /// How many transfers run.
  public let inFlight: Int
  /// The visible picture area without its picture, and all of it, in px².
  public let blank, area: Double
  /// The rows on the screen.
  public let cells: [Cell]

  /// A frame.
  public init(
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

/// Tells somebody every frame of a run.
final class FrameTeller: RunObserver {
  private struct State {
    var contents = SlotContents()
    var inFlight = 0
  }

  private let scene: RecordedScene
  private let tell: @Sendable (LiveFrame) -> Void
  private let state = Mutex(State())

  /// Tells `tell` the frames of a run of `scene`, on the thread of the run.
  init(_ scene: RecordedScene, _ tell: @escaping @Sendable (LiveFrame) -> Void) {
    self.scene = scene
    self.tell = tell
  }

  func note(_ event: RunEvent, at time: Duration) {
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
    if let frame { tell(frame) }
  }

  private func live(_ frame: ScreenFrame, _ state: State, at time: Duration) -> LiveFrame {
    var (blank, area) = (0.0, 0.0)
    let cells = frame.cells.map { cell in
      let place = scene.place(of: cell.row, at: time)
      let content = state.contents[cell.slot]
      area += cell.area
      if content != .picture { blank += cell.area }
      return LiveFrame.Cell(
        row: cell.row, left: Double(place.left), top: Double(place.top) - frame.offset,
        width: Double(place.width),
        height: Double(place.height), content: content)
    }
    let viewport = scene.layout(at: time).viewport
    return LiveFrame(
      time: time, width: Double(viewport.width), height: Double(viewport.height),
      velocity: frame.velocity, inFlight: state.inFlight, blank: blank, area: area, cells: cells)
  }
}

/// What each slot shows.
struct SlotContents: Sendable {
  private var contents: [Int: LiveFrame.Content] = [:]

  /// What `slot` shows.
  subscript(slot: Int) -> LiveFrame.Content { contents[slot] ?? .blank }

  /// `slot` stands for another row.
  mutating func bind(_ slot: Int) { contents[slot] = nil }

  /// The state of `slot` changed.
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
