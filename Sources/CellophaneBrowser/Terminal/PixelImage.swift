#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// An image of pixels at a position of the screen.
struct PixelImage: Sendable {
  /// The protocol and the data for the terminal.
  enum Form: Sendable {
    /// The complete data, which is sent each time the image appears.
    case sixels(String)
    /// An image that the terminal has under `number`. The pixel rows from `top` are shown.
    case kitty(number: Int, top: Int, width: Int, height: Int)
  }

  let line: Int
  let column: Int
  let lines: Int
  let columns: Int
  /// A number that differs between images at the same position.
  let version: Int
  let form: Form

  func isSame(as other: PixelImage) -> Bool {
    (line, column, lines, columns, version) == (
      other.line, other.column, other.lines, other.columns, other.version
    )
  }

  func covers(_ line: Int, _ column: Int) -> Bool {
    (self.line..<self.line + lines).contains(line) && (self.column..<self.column + columns).contains(column)
  }

  /// True if characters written over the image erase it.
  var needsErasing: Bool { if case .sixels = form { true } else { false } }

  /// The sequence that shows the image at the cursor.
  var text: String {
    switch form {
    case .sixels(let text): text
    case .kitty(let number, let top, let width, let height):
      KittyGraphics.show(number, top: top, width: width, height: height, columns: columns, lines: lines)
    }
  }

  /// Returns the sequence that removes the image, if `others` are shown from now on.
  func removal(for others: [PixelImage]) -> String {
    guard case .kitty(let number, _, _, _) = form else { return "" }
    // An image that is shown at another position moves there.
    let isShown = others.contains { if case .kitty(number, _, _, _) = $0.form { true } else { false } }
    return isShown ? "" : KittyGraphics.hide(number)
  }

  /// Returns the sequence that removes all images which writing does not erase.
  static func removeAll(_ pictures: [PixelImage]) -> String {
    pictures.contains { !$0.needsErasing } ? KittyGraphics.hideAll : ""
  }
}

/// The required part of Kitty's graphics protocol.
///
/// Each image is sent once under a number, and then shown completely or in part at its position. libchafa would send the
/// image each time.
enum KittyGraphics {
  static let hideAll = "\u{1B}_Ga=d,d=a,q=2\u{1B}\\"
  /// Hides all images and frees their memory.
  static let forgetAll = "\u{1B}_Ga=d,d=A,q=2\u{1B}\\"

  /// Returns the sequences that send a PNG file under `number` and replace an earlier one.
  static func send(_ file: [UInt8], as number: Int) -> String {
    var sequences = ""
    var rest = Data(file).base64EncodedString()[...]
    var controls = "a=t,f=100,q=2,i=\(number),"
    repeat {
      // The maximum length of a piece in the protocol.
      let piece = rest.prefix(4_096)
      rest = rest.dropFirst(4_096)
      sequences += "\u{1B}_G\(controls)m=\(rest.isEmpty ? 0 : 1);\(piece)\u{1B}\\"
      controls = ""
    } while !rest.isEmpty
    return sequences
  }

  static func show(_ number: Int, top: Int, width: Int, height: Int, columns: Int, lines: Int) -> String {
    // C=1: the cursor stays, so that the screen does not scroll at its end.
    "\u{1B}_Ga=p,q=2,i=\(number),p=1,C=1,x=0,y=\(top),w=\(width),h=\(height),c=\(columns),r=\(lines)\u{1B}\\"
  }

  static func hide(_ number: Int) -> String { "\u{1B}_Ga=d,d=i,q=2,i=\(number),p=1\u{1B}\\" }
}
