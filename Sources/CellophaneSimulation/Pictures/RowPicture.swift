internal import Cellophane

/// The generated image of a row: a gradient between two random colors, its number as a ``RowCode`` in the
/// middle, and noise. The noise makes its file as large as that of a photograph. A pure function of row, size
/// and seed.
struct RowPicture: Sendable, Hashable {
  let row: Int
  let size: PixelSize
  let seed: UInt64
  /// The largest change of a color by noise.
  var noise = Self.photographicNoise

  /// The noise of a photograph. With 36, a JPEG of quality 80 has about 3 bits per pixel. The cells of the
  /// code differ by 200, so that they remain readable.
  static let photographicNoise = 36
  /// The side of a square of equal noise, in pixels. With 1, the PNG files would be larger than those of
  /// photographs.
  private static let grain = 2
  private static let black = (red: 28, green: 28, blue: 28)
  private static let white = (red: 228, green: 228, blue: 228)

  /// Returns the pixels by rows, 4 bytes each. O(pixels).
  func pixels() -> [UInt8] {
    let draw = SeededDraw(seed: seed)
    let from = Self.color(hue: draw.uniform("hue", row))
    let to = Self.color(hue: draw.uniform("hue", row) + draw.uniform(in: 0.15...0.45, "turn", row))
    let grains = draw.bits("grain", row)
    let cells = RowCode.cells(of: row)
    let area = CodeArea(width: size.width, height: size.height)
    var pixels: [UInt8] = []
    pixels.reserveCapacity(size.width * size.height * 4)
    for y in 0..<size.height {
      for x in 0..<size.width {
        var color: (red: Int, green: Int, blue: Int)
        if let cell = area.cell(x: x, y: y) {
          color = cells >> UInt64(cell) & 1 == 1 ? Self.white : Self.black
        } else {
          color = Self.mix(from, to, share: x + y, of: size.width + size.height)
        }
        let position = UInt64(y / Self.grain) << 32 | UInt64(x / Self.grain)
        let noise = Int(SeededDraw.mixed(grains ^ position) % UInt64(2 * noise + 1)) - noise
        color = (color.red + noise, color.green + noise, color.blue + noise)
        pixels.append(UInt8(clamping: color.red))
        pixels.append(UInt8(clamping: color.green))
        pixels.append(UInt8(clamping: color.blue))
        pixels.append(255)
      }
    }
    return pixels
  }

  /// Returns a saturated color of `hue`, which is in turns of the color circle.
  private static func color(hue: Double) -> (red: Int, green: Int, blue: Int) {
    func channel(_ shift: Double) -> Int {
      let phase = (hue + shift) - (hue + shift).rounded(.down)
      return 60 + Int(min(max(abs(phase * 6 - 3) - 1, 0), 1) * 150)
    }
    return (channel(0), channel(2.0 / 3), channel(1.0 / 3))
  }

  private static func mix(
    _ a: (red: Int, green: Int, blue: Int), _ b: (red: Int, green: Int, blue: Int), share: Int, of total: Int
  ) -> (red: Int, green: Int, blue: Int) {
    func channel(_ a: Int, _ b: Int) -> Int { a + (b - a) * share / total }
    return (channel(a.red, b.red), channel(a.green, b.green), channel(a.blue, b.blue))
  }
}
