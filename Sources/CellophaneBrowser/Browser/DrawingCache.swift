internal import Cellophane
internal import CellophaneScreens

/// The number of images whose row number could be read, and of those in wrong rows.
package struct ImageTally: Sendable, Equatable {
  package var read = 0
  package var wrong = 0
}

/// The drawings of the images in slots.
///
/// Not `Sendable`: the actor of the list owns it.
final class DrawingCache {
  private struct Entry {
    let drawing: ImageDrawing
    /// The row number in the pixels; nil for other images.
    let number: Int?
    /// The rows that have shown the image.
    var rows: Set<Int> = []
  }

  private let capabilities: TerminalCapabilities
  private let rowNumber: (Image) -> Int?
  private let advice: (LoadError) -> String?
  private var entries: [Int: Entry] = [:]
  private var drawn = 0
  private(set) var tally = ImageTally()
  /// Called when the content of a slot changes.
  var onChange: () -> Void = {}

  /// - Parameters:
  ///   - rowNumber: Returns the row number in the pixels of an image; nil for an image without one.
  ///   - advice: Returns the remedy for a failed image; nil if none is known.
  init(
    capabilities: TerminalCapabilities, rowNumber: @escaping (Image) -> Int?,
    advice: @escaping (LoadError) -> String?
  ) {
    (self.capabilities, self.rowNumber, self.advice) = (capabilities, rowNumber, advice)
  }

  /// Removes the drawing of a slot whose content has changed.
  func clear(_ slot: Int) {
    entries[slot] = nil
    onChange()
  }

  /// Removes all drawings, so that they are sent to the terminal again.
  func removeAll() { entries = [:] }

  /// Returns the state of the image of `item` in `row`.
  func picture(
    of row: Int, _ item: BrowseItem, in rows: RowSlots<AnimatedImageDecoder>, geometry: BrowseGeometry
  ) -> BrowseView.Picture {
    guard let slot = rows.slot(of: row) else { return .none }
    switch rows[row] {
    case .empty: return .none
    case .loading: return .loading
    case .preview(let value): return .preview(entry(of: value.image, slot, geometry).drawing)
    case .shown(let value, let source):
      let entry = entry(of: value.image, slot, geometry)
      check(entry, in: slot, of: item)
      return .shown(entry.drawing, from: source)
    case .failed(let error, _):
      return .failed(
        error.message.reasonFirst.printable, isRetryable: error.isRetryable, retryAfter: error.retryAfter,
        advice: advice(error))
    }
  }

  /// Returns the sequences that the terminal needs before it can show the images of `visible` rows.
  func takePreparations(rows visible: Range<Int>, of rows: RowSlots<AnimatedImageDecoder>) -> String {
    visible.compactMap { row in
      rows.slot(of: row).flatMap { entries[$0]?.drawing.takePreparation() }
    }.joined()
  }

  private func entry(of image: Image, _ slot: Int, _ geometry: BrowseGeometry) -> Entry {
    if let entry = entries[slot] { return entry }
    drawn += 1
    let entry = Entry(
      drawing: ImageDrawing(
        image, slot: slot, version: drawn, geometry: geometry, capabilities: capabilities),
      number: rowNumber(image))
    entries[slot] = entry
    return entry
  }

  /// Compares the row numbers of image and item, once for each row that shows the image.
  private func check(_ entry: Entry, in slot: Int, of item: BrowseItem) {
    guard let number = entry.number, let expected = item.number,
      entries[slot]?.rows.insert(expected).inserted == true
    else { return }
    tally.read += 1
    if number != expected { tally.wrong += 1 }
  }
}
