internal import Cellophane

/// The sums of the events of slots.
struct SlotSums: Additive {
  /// How often a slot was bound to another row.
  var bindings = 0
  /// How often this happened before the slot showed an image.
  var superseded = 0
  /// How often a load failed in a slot.
  var failures = 0
  /// How often a slot showed an image, by the source of the image.
  var shown: [Source: Int] = [:]
  /// The bytes of the files of these images.
  var bytes: [Source: Int] = [:]
  /// How often a slot lost its image and showed it again while it was bound to the same row.
  var flickers = 0

  static func += (sum: inout SlotSums, other: SlotSums) {
    sum.bindings += other.bindings
    sum.superseded += other.superseded
    sum.failures += other.failures
    sum.shown.merge(other.shown, uniquingKeysWith: +)
    sum.bytes.merge(other.bytes, uniquingKeysWith: +)
    sum.flickers += other.flickers
  }
}

/// The events of slots, counted during the run.
struct SlotTally: Sendable {
  private struct Slot {
    var row: Int?
    var isLoading = false
    /// True if it has shown its row's image. A newer version of the image does not answer another request.
    var isAnswered = false
    var shown: PictureIdentity?
    /// The image that it showed before it lost it, since it was bound to its row.
    var lost: PictureIdentity?
  }

  private var slots: [Slot] = []
  private(set) var sums = PerPhase<SlotSums>()

  /// Binds `slot` to `row`. Returns the row that it was loading; nil if it was not loading.
  mutating func bind(_ slot: Int, to row: Int, in phase: RunPhase) -> Int? {
    while slots.count <= slot { slots.append(Slot()) }
    let superseded = slots[slot].isLoading ? slots[slot].row : nil
    sums[phase].bindings += 1
    if superseded != nil { sums[phase].superseded += 1 }
    slots[slot] = Slot(row: row, isLoading: false)
    return superseded
  }

  /// Updates the state of `slot`. `bytes` is the size of the file that it shows.
  mutating func display(
    _ state: SlotState<PictureIdentity>, in slot: Int, bytes: Int?, phase: RunPhase
  ) {
    guard slots.indices.contains(slot) else { return }
    switch state {
    case .empty: slots[slot].isLoading = false
    case .loading, .preview: slots[slot].isLoading = true
    case .shown(let picture, let source):
      slots[slot].isLoading = false
      if !slots[slot].isAnswered {
        sums[phase].shown[source, default: 0] += 1
        sums[phase].bytes[source, default: 0] += bytes ?? 0
      }
      slots[slot].isAnswered = true
      // An image returned to its slot. It was the row's own image, or a wrong one twice, which is counted
      // elsewhere.
      if slots[slot].lost == picture { sums[phase].flickers += 1 }
      slots[slot].lost = nil
    case .failed:
      slots[slot].isLoading = false
      sums[phase].failures += 1
    }
    let value: PictureIdentity? = if case .preview = state { nil } else { state.value }
    if let shown = slots[slot].shown, value != shown { slots[slot].lost = shown }
    slots[slot].shown = value
  }
}

extension SlotState<PictureIdentity> {
  /// The image that the state identifies; for a preview only if the image carries a number.
  var evidence: PictureIdentity? {
    guard case .preview(let picture) = self else { return value }
    if case .row = picture { return picture }
    return nil
  }
}
