internal import Cellophane
internal import CellophaneScreens
internal import CellophaneSimulation

/// How often the pictures on the screen could be read, and stood at another row than theirs.
struct PictureTally: Sendable, Equatable {
  var read = 0
  var wrong = 0
}

/// What slots show, made ready for the terminal.
///
/// Not `Sendable`: it belongs to the actor of the list, whose slots tell it what they show.
final class PictureBoard {
  private struct Entry {
    let drawing: PictureDrawing
    /// The row that the pixels tell of themselves; nil where they tell none.
    let number: Int?
    /// The rows where it has stood.
    var places: Set<Int> = []
  }

  private let abilities: Abilities
  private var entries: [Int: Entry] = [:]
  private var drawn = 0
  private(set) var tally = PictureTally()
  /// Called when a slot shows something else.
  var onChange: () -> Void = {}

  init(abilities: Abilities) { self.abilities = abilities }

  /// `slot` shows something else now.
  func clear(_ slot: Int) {
    entries[slot] = nil
    onChange()
  }

  /// The terminal has forgotten everything.
  func removeAll() { entries = [:] }

  /// What is drawn for `row`, which stands for `item`.
  func picture(
    of row: Int, _ item: BrowseItem, in rows: RowSlots<ImageDecoder>, geometry: BrowseGeometry
  ) -> BrowseView.Picture {
    guard let slot = rows.slot(of: row) else { return .none }
    switch rows[row] {
    case .empty: return .none
    case .loading: return .loading
    case .preview(let image): return .preview(entry(of: image, slot, geometry).drawing)
    case .shown(let image, let source):
      let entry = entry(of: image, slot, geometry)
      judge(entry, in: slot, of: item)
      return .shown(entry.drawing, from: source)
    case .failed(let error):
      return .failed(error.message.reasonFirst.printable, isRetryable: error.isRetryable)
    }
  }

  /// What the terminal has to be given before it can show the pictures of `rows`.
  func takePreparations(rows visible: Range<Int>, of rows: RowSlots<ImageDecoder>) -> String {
    visible.compactMap { row in
      rows.slot(of: row).flatMap { entries[$0]?.drawing.takePreparation() }
    }.joined()
  }

  private func entry(of image: Image, _ slot: Int, _ geometry: BrowseGeometry) -> Entry {
    if let entry = entries[slot] { return entry }
    drawn += 1
    let entry = Entry(
      drawing: PictureDrawing(image, slot: slot, version: drawn, geometry: geometry, abilities: abilities),
      number: RowOrigin.row(shownBy: image))
    entries[slot] = entry
    return entry
  }

  /// Counts the picture once for each row where it stands.
  private func judge(_ entry: Entry, in slot: Int, of item: BrowseItem) {
    guard let number = entry.number, let expected = item.number,
      entries[slot]?.places.insert(expected).inserted == true
    else { return }
    tally.read += 1
    if number != expected { tally.wrong += 1 }
  }
}
