internal import CTerminal
internal import Cellophane

/// The encoding of images for the terminal.
package enum PixelForm: String, Sendable, CaseIterable {
  /// Kitty's graphics protocol.
  case kitty
  case sixel
  /// Half blocks, two pixels per character.
  case blocks
}

/// The number of colors of a terminal.
enum ColorDepth: Sendable {
  case direct, indexed, sixteen, none

  fileprivate var chafa: terminal_colors {
    switch self {
    case .direct: .TerminalColorsDirect
    case .indexed: .TerminalColorsIndexed
    case .sixteen: .TerminalColorsSixteen
    case .none: .TerminalColorsNone
    }
  }
}

/// The graphics capabilities of a terminal.
package struct TerminalCapabilities: Sendable {
  var form: PixelForm
  var depth: ColorDepth

  /// Detects the capabilities from the environment. A `wanted` form overrides the detected one.
  package init(wanted: PixelForm?, isColorless: Bool) {
    let found = terminal_detect_abilities()
    // Without colors, only blocks: pixel images always have colors.
    let best: PixelForm = isColorless ? .blocks : found.kitty ? .kitty : found.sixels ? .sixel : .blocks
    form = wanted ?? best
    depth =
      isColorless ? .none : found.direct_colors ? .direct : found.indexed_colors ? .indexed : .sixteen
  }

  init(form: PixelForm, depth: ColorDepth) { (self.form, self.depth) = (form, depth) }
}

/// The image of a slot, encoded for the terminal. The encoding is kept, because most frames show the same images at other
/// positions.
///
/// Not `Sendable`: the actor of the list owns it.
final class ImageDrawing {
  let columns: Int
  let lines: Int
  /// Half blocks, line by line.
  let cells: [Cell]
  /// A number that is unique among drawings.
  let version: Int
  /// The sequence that the terminal needs before it can show the image; nil after it was taken.
  private(set) var preparation: String?

  private let image: Image
  private let form: PixelForm
  private let number: Int
  private var sixels: [Range<Int>: String] = [:]

  /// Draws `image` for the slot `slot`.
  init(_ image: Image, slot: Int, version: Int, geometry: BrowseGeometry, capabilities: TerminalCapabilities)
  {
    (columns, lines) = geometry.picture
    self.image = image
    self.version = version
    form = capabilities.form
    // Kitty's image numbers begin with 1.
    number = slot + 1
    cells = Self.cells(of: image, columns, lines, capabilities.depth)
    if form == .kitty, let file = try? image.encoded(as: .png) {
      preparation = KittyGraphics.send(file, as: number)
    }
  }

  /// Returns the sequence that the terminal needs before it first shows the image; nil in later calls.
  func takePreparation() -> String? {
    defer { preparation = nil }
    return preparation
  }

  /// Returns true if `part` of the lines is encoded. Sixels take about ten milliseconds, once.
  func hasPixels(_ part: Range<Int>) -> Bool { form != .sixel || sixels[part] != nil }

  /// Returns a `part` of the image's lines as pixels at a position of the screen; nil for half blocks.
  func pixels(_ part: Range<Int>, line: Int, column: Int) -> PixelImage? {
    let form: PixelImage.Form
    switch self.form {
    case .blocks: return nil
    case .kitty:
      let rows = rows(of: part)
      form = .kitty(number: number, top: rows.lowerBound, width: image.width, height: rows.count)
    case .sixel:
      let text = sixels[part] ?? Self.sixels(of: image, rows(of: part))
      sixels[part] = text
      form = .sixels(text)
    }
    return PixelImage(
      line: line, column: column, lines: part.count, columns: columns,
      // Different lines of the image at the same position need different versions.
      version: version * (lines + 1) + part.lowerBound, form: form)
  }

  /// Returns the pixel rows of some lines of the image.
  private func rows(of part: Range<Int>) -> Range<Int> {
    image.height * part.lowerBound / lines..<image.height * part.upperBound / lines
  }

  private static func cells(of image: Image, _ columns: Int, _ lines: Int, _ depth: ColorDepth) -> [Cell] {
    if columns < 1 || lines < 1 { return [] }
    var drawn = [terminal_cell](repeating: terminal_cell(), count: columns * lines)
    unsafe image.pixels.withUnsafeBufferPointer { pixels in
      unsafe drawn.withUnsafeMutableBufferPointer { cells in
        guard let pixels = pixels.baseAddress, let cells = cells.baseAddress else { return }
        unsafe terminal_draw_cells(
          pixels, Int32(image.width), Int32(image.height), depth.chafa, Int32(columns), Int32(lines), cells)
      }
    }
    return drawn.map { cell in
      Cell(
        glyph: Unicode.Scalar(cell.glyph).map(Character.init) ?? " ",
        style: Style(foreground: color(cell.foreground, depth), background: color(cell.background, depth)))
    }
  }

  private static func color(_ value: Int32, _ depth: ColorDepth) -> TerminalColor {
    value < 0 ? .standard : TerminalColor(value: value & 0xFF_FFFF, isDirect: depth == .direct)
  }

  private static func sixels(of image: Image, _ rows: Range<Int>) -> String {
    guard !rows.isEmpty else { return "" }
    return unsafe image.pixels.withUnsafeBufferPointer { pixels in
      guard let first = pixels.baseAddress else { return "" }
      let text = unsafe terminal_draw_sixels(
        first + rows.lowerBound * image.width * 4, Int32(image.width), Int32(rows.count))
      defer { unsafe terminal_free(text) }
      return unsafe String(
        decoding: UnsafeRawBufferPointer(start: text.bytes, count: text.count), as: UTF8.self)
    }
  }
}
