internal import Cellophane

/// What happened to slots, summed.
struct SlotSums: Additive {
  /// How often a slot was given another row.
  var bindings = 0
  /// How often before it showed anything.
  var superseded = 0
  /// How often a load failed in a slot.
  var failures = 0
  /// How often a slot showed a picture, by the tier that it came from.
  var shown: [Source: Int] = [:]
  /// The bytes of the files of these.
  var bytes: [Source: Int] = [:]
  /// How often a slot lost its picture and showed it again, while it stood for the same row.
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

/// What happens to slots, counted as it happens.
struct SlotTally: Sendable {
  private struct Slot {
    var row: Int?
    var isLoading = false
    /// Whether it has shown its row's picture; a newer version of it is no answer to another request.
    var isAnswered = false
    var shown: PictureIdentity?
    /// What it showed before it lost it, since it stands for its row.
    var lost: PictureIdentity?
  }

  private var slots: [Slot] = []
  private(set) var sums = PerPhase<SlotSums>()

  /// Slot `slot` stands for `row` from now on. Returns the row that it was loading, if it was.
  mutating func bind(_ slot: Int, to row: Int, in phase: RunPhase) -> Int? {
    while slots.count <= slot { slots.append(Slot()) }
    let left = slots[slot].isLoading ? slots[slot].row : nil
    sums[phase].bindings += 1
    if left != nil { sums[phase].superseded += 1 }
    slots[slot] = Slot(row: row, isLoading: false)
    return left
  }

  /// The state of `slot` changed; what it shows has so many `bytes`.
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
      // A picture that comes back to its slot: it was its row's own, or a wrong one came twice, which is told apart.
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
  /// What it shows, as far as that proves which picture it is: of a preview only a number.
  var proof: PictureIdentity? {
    guard case .preview(let picture) = self else { return value }
    if case .row = picture { return picture }
    return nil
  }
}
