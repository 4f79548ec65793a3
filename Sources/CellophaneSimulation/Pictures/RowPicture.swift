internal import Cellophane

/// The generated picture of one row: a gradient between two colours of its own, its number as a
/// ``RowCode`` in the middle, and noise all over, so that its file is as large as a photograph's. A pure
/// function of row, size and seed.
struct RowPicture: Sendable, Hashable {
  let row: Int
  let size: PixelSize
  let seed: UInt64
  /// The largest amount by which noise changes a colour.
  var noise = Self.photographicNoise

  /// The noise of a photograph. 36 makes a JPEG of quality 80 some 3 bits a pixel
  /// and leaves the cells of the code, which are 200 apart, far from being mistaken.
  static let photographicNoise = 36
  /// The side of a square of equal noise, in pixels: 1 would be larger as a PNG than photographs are.
  private static let grain = 2
  private static let black = (red: 28, green: 28, blue: 28)
  private static let white = (red: 228, green: 228, blue: 228)

  /// The picture's rows, 4 bytes a pixel. O(pixels).
  func pixels() -> [UInt8] {
    let draw = SeededDraw(seed: seed)
    let from = Self.colour(hue: draw.uniform("hue", row))
    let to = Self.colour(hue: draw.uniform("hue", row) + draw.uniform(in: 0.15...0.45, "turn", row))
    let grains = draw.bits("grain", row)
    let cells = RowCode.cells(of: row)
    let area = CodeArea(width: size.width, height: size.height)
    var pixels: [UInt8] = []
    pixels.reserveCapacity(size.width * size.height * 4)
    for y in 0..<size.height {
      for x in 0..<size.width {
        var colour: (red: Int, green: Int, blue: Int)
        if let cell = area.cell(x: x, y: y) {
          colour = cells >> UInt64(cell) & 1 == 1 ? Self.white : Self.black
        } else {
          colour = Self.mix(from, to, share: x + y, of: size.width + size.height)
        }
        let place = UInt64(y / Self.grain) << 32 | UInt64(x / Self.grain)
        let noise = Int(SeededDraw.mixed(grains ^ place) % UInt64(2 * noise + 1)) - noise
        colour = (colour.red + noise, colour.green + noise, colour.blue + noise)
        pixels.append(UInt8(clamping: colour.red))
        pixels.append(UInt8(clamping: colour.green))
        pixels.append(UInt8(clamping: colour.blue))
        pixels.append(255)
      }
    }
    return pixels
  }

  /// A clear colour of `hue`, in turns of the colour circle.
  private static func colour(hue: Double) -> (red: Int, green: Int, blue: Int) {
    func channel(_ shift: Double) -> Int {
      let turn = (hue + shift) - (hue + shift).rounded(.down)
      return 60 + Int(min(max(abs(turn * 6 - 3) - 1, 0), 1) * 150)
    }
    return (channel(0), channel(2.0 / 3), channel(1.0 / 3))
  }

  private static func mix(
    _ a: (red: Int, green: Int, blue: Int), _ b: (red: Int, green: Int, blue: Int), share: Int, of whole: Int
  ) -> (red: Int, green: Int, blue: Int) {
    func channel(_ a: Int, _ b: Int) -> Int { a + (b - a) * share / whole }
    return (channel(a.red, b.red), channel(a.green, b.green), channel(a.blue, b.blue))
  }
}
