internal import CTerminal
internal import Cellophane

/// How pictures reach the terminal.
enum PixelForm: String, Sendable, CaseIterable {
  /// Kitty's protocol.
  case kitty
  case sixel
  /// Half blocks, two pixels a character.
  case blocks
}

/// How many colours there are.
enum ColourDepth: Sendable {
  case direct, indexed, sixteen, none

  fileprivate var chafa: terminal_colours {
    switch self {
    case .direct: .TerminalColoursDirect
    case .indexed: .TerminalColoursIndexed
    case .sixteen: .TerminalColoursSixteen
    case .none: .TerminalColoursNone
    }
  }
}

/// What a terminal can show.
struct Abilities: Sendable {
  var form: PixelForm
  var depth: ColourDepth

  /// What the environment tells of the terminal, unless a form is `wanted`.
  init(wanted: PixelForm?, isColourless: Bool) {
    let found = terminal_detect_abilities()
    // Pixels have colours, which nobody wants who asks for none.
    let best: PixelForm = isColourless ? .blocks : found.kitty ? .kitty : found.sixels ? .sixel : .blocks
    form = wanted ?? best
    depth =
      isColourless ? .none : found.direct_colours ? .direct : found.indexed_colours ? .indexed : .sixteen
  }

  init(form: PixelForm, depth: ColourDepth) { (self.form, self.depth) = (form, depth) }
}

/// The picture of a slot, made ready for the terminal. What is made is kept: most frames show the same ones elsewhere.
///
/// Not `Sendable`: it belongs to the actor of the list.
final class PictureDrawing {
  let columns: Int
  let lines: Int
  /// Half blocks, line by line.
  let cells: [Cell]
  /// No two drawings have the same.
  let version: Int
  /// What the terminal has to be given before it can show the picture; nil once that was taken.
  private(set) var preparation: String?

  private let image: Image
  private let form: PixelForm
  private let number: Int
  private var sixels: [Range<Int>: String] = [:]

  /// Draws `image` as the picture of slot `slot`.
  init(_ image: Image, slot: Int, version: Int, geometry: BrowseGeometry, abilities: Abilities) {
    (columns, lines) = geometry.picture
    self.image = image
    self.version = version
    form = abilities.form
    // 0 is none.
    number = slot + 1
    cells = Self.cells(of: image, columns, lines, abilities.depth)
    if form == .kitty, let file = try? image.encoded(as: .png) {
      preparation = KittyGraphics.send(file, as: number)
    }
  }

  /// What the terminal has to be given before it shows the picture for the first time.
  func takePreparation() -> String? {
    defer { preparation = nil }
    return preparation
  }

  /// True when showing `part` of the lines as pixels takes no work: sixels take some ten milliseconds, once.
  func hasPixels(_ part: Range<Int>) -> Bool { form != .sixel || sixels[part] != nil }

  /// The `part` of the picture's lines as pixels at a place of the screen; nil where half blocks stand for it.
  func pixels(_ part: Range<Int>, line: Int, column: Int) -> PixelPicture? {
    let form: PixelPicture.Form
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
    return PixelPicture(
      line: line, column: column, lines: part.count, columns: columns,
      // Other lines of it at the same place are another picture.
      version: version * (lines + 1) + part.lowerBound, form: form)
  }

  /// The rows of pixels of some lines of the picture.
  private func rows(of part: Range<Int>) -> Range<Int> {
    image.height * part.lowerBound / lines..<image.height * part.upperBound / lines
  }

  private static func cells(of image: Image, _ columns: Int, _ lines: Int, _ depth: ColourDepth) -> [Cell] {
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
        style: Style(foreground: colour(cell.foreground, depth), background: colour(cell.background, depth)))
    }
  }

  private static func colour(_ value: Int32, _ depth: ColourDepth) -> Colour {
    value < 0 ? .own : Colour(value: value & 0xFF_FFFF, isDirect: depth == .direct)
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
