#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A picture of pixels at its place on the screen.
struct PixelPicture: Sendable {
  /// How a terminal is told of pixels.
  enum Form: Sendable {
    /// The whole text, each time that it appears.
    case sixels(String)
    /// Pixels that were sent before under `number`, of which lines from `top` on are shown.
    case kitty(number: Int, top: Int, width: Int, height: Int)
  }

  let line: Int
  let column: Int
  let lines: Int
  let columns: Int
  /// What tells it from another at the same place.
  let version: Int
  let form: Form

  func isSame(as other: PixelPicture) -> Bool {
    (line, column, lines, columns, version) == (
      other.line, other.column, other.lines, other.columns, other.version
    )
  }

  func covers(_ line: Int, _ column: Int) -> Bool {
    (self.line..<self.line + lines).contains(line) && (self.column..<self.column + columns).contains(column)
  }

  /// True when it is gone once something is written over it.
  var needsErasing: Bool { if case .sixels = form { true } else { false } }

  /// What shows it at the cursor.
  var text: String {
    switch form {
    case .sixels(let text): text
    case .kitty(let number, let top, let width, let height):
      KittyGraphics.show(number, top: top, width: width, height: height, columns: columns, lines: lines)
    }
  }

  /// What takes it away, when `others` are shown from now on.
  func removal(for others: [PixelPicture]) -> String {
    guard case .kitty(let number, _, _, _) = form else { return "" }
    // One that is shown elsewhere moves there.
    let isShown = others.contains { if case .kitty(number, _, _, _) = $0.form { true } else { false } }
    return isShown ? "" : KittyGraphics.hide(number)
  }

  /// What takes everything away that may be on the screen, where such pictures are drawn.
  static func removeAll(_ pictures: [PixelPicture]) -> String {
    pictures.contains { !$0.needsErasing } ? KittyGraphics.hideAll : ""
  }
}

/// Kitty's protocol for pictures, as far as it is needed here: each is sent once, under a number, and then shown where the
/// list has it, whole or in part. libchafa sends it anew each time.
enum KittyGraphics {
  static let hideAll = "\u{1B}_Ga=d,d=a,q=2\u{1B}\\"
  /// The same, and the terminal forgets them.
  static let forgetAll = "\u{1B}_Ga=d,d=A,q=2\u{1B}\\"

  /// Gives the terminal a PNG file under `number`, in place of an earlier one.
  static func send(_ file: [UInt8], as number: Int) -> String {
    var words = ""
    var rest = Data(file).base64EncodedString()[...]
    var controls = "a=t,f=100,q=2,i=\(number),"
    repeat {
      // As much as the protocol has in one piece.
      let piece = rest.prefix(4_096)
      rest = rest.dropFirst(4_096)
      words += "\u{1B}_G\(controls)m=\(rest.isEmpty ? 0 : 1);\(piece)\u{1B}\\"
      controls = ""
    } while !rest.isEmpty
    return words
  }

  static func show(_ number: Int, top: Int, width: Int, height: Int, columns: Int, lines: Int) -> String {
    // C: the cursor stays, so that nothing scrolls at the end of the screen.
    "\u{1B}_Ga=p,q=2,i=\(number),p=1,C=1,x=0,y=\(top),w=\(width),h=\(height),c=\(columns),r=\(lines)\u{1B}\\"
  }

  static func hide(_ number: Int) -> String { "\u{1B}_Ga=d,d=i,q=2,i=\(number),p=1\u{1B}\\" }
}
