internal import CTerminal
package import Cellophane

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The terminals behind the standard streams.
extension Platform {
  /// The size of the terminal on standard error; nil if it is not a terminal, or if the size is not known.
  package static var terminalSize: (columns: Int, lines: Int)? {
    let size = terminal_measure(STDERR_FILENO)
    return size.columns > 0 && size.lines > 0 ? (Int(size.columns), Int(size.lines)) : nil
  }

  /// Returns true if `descriptor` is a terminal that supports control sequences.
  package static func isTerminal(_ descriptor: Int32) -> Bool {
    isatty(descriptor) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
  }
}
