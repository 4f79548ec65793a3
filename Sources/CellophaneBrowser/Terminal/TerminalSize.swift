internal import Cellophane

/// The size of a terminal.
struct TerminalSize: Hashable, Sendable {
  var columns: Int
  var lines: Int
  /// The size of one character in pixels; nil if the terminal does not report it.
  var cell: PixelSize?
}
