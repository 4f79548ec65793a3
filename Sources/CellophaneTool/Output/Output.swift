internal import Cellophane
internal import Synchronization

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

/// Where the tool writes: results on standard output, everything else on standard error.
///
/// Results that cannot be written are an error, ``LoadError/Kind/io``. When a reader has gone, as `head` does, that
/// error is not told: the tool settles what it has begun, and ends without a word.
enum Output {
  private static let isUnread = Atomic(false)

  /// True once the results were written to somebody who has gone.
  static var hasNoReader: Bool { isUnread.load(ordering: .relaxed) }

  /// A line of results.
  static func line(_ text: String) throws(LoadError) { try bytes(Array((visible(text) + "\n").utf8).span) }

  /// Lines of results.
  static func lines(_ texts: [String]) throws(LoadError) {
    // A thousand: one call of the system for many, and little in memory of a list that has no end.
    for start in stride(from: 0, to: texts.count, by: 1_000) {
      let piece = texts[start..<min(start + 1_000, texts.count)].map { visible($0) + "\n" }
      try bytes(Array(piece.joined().utf8).span)
    }
  }

  /// Bytes of results.
  static func bytes(_ bytes: Span<UInt8>) throws(LoadError) {
    switch write(bytes, to: STDOUT_FILENO) {
    case 0: return
    case let error:
      if error == EPIPE { isUnread.store(true, ordering: .relaxed) }
      throw LoadError(.io, "cannot write the results: \(Platform.reason(error))")
    }
  }

  /// A line of news.
  static func note(_ text: String) { write(Array((visible(text) + "\n").utf8).span, to: STDERR_FILENO) }

  /// A line that the next one overwrites, on a terminal.
  static func transient(_ text: String) { write(Array(("\r\u{1B}[K" + text).utf8).span, to: STDERR_FILENO) }

  /// Text that steers a terminal, made here.
  static func raw(_ text: String) { write(Array(text.utf8).span, to: STDERR_FILENO) }

  /// What went wrong, in one line; line breaks within would make it two.
  static func error(_ text: String) {
    note("cellophane: " + text.split(whereSeparator: \.isNewline).joined(separator: " "))
  }

  /// One object, readable by people and sorted, so that two runs can be compared line by line.
  static func json(_ value: some Encodable) throws(LoadError) {
    try bytes(encoded(value, [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]).span)
  }

  /// True when standard error is a terminal that can write over a line.
  static var isTerminal: Bool { isTerminal(STDERR_FILENO) }

  /// True when standard output is a terminal that can show more than lines of text.
  static var showsResultsOnTerminal: Bool { isTerminal(STDOUT_FILENO) }

  private static func isTerminal(_ descriptor: Int32) -> Bool {
    isatty(descriptor) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
  }

  /// `text` with control characters written out, line breaks too: what origins and file names say must not
  /// steer a terminal, nor look like a line of ours.
  private static func visible(_ text: String) -> String {
    var visible = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar.properties.generalCategory == .control {
        visible.append(contentsOf: scalar.escaped(asASCII: true).unicodeScalars)
      } else {
        visible.append(scalar)
      }
    }
    return String(visible)
  }

  private static func encoded(_ value: some Encodable, _ formatting: JSONEncoder.OutputFormatting) -> [UInt8]
  {
    let encoder = JSONEncoder()
    encoder.outputFormatting = formatting
    return (try? encoder.encode(value)).map { Array($0) + [UInt8(ascii: "\n")] } ?? []
  }

  /// Writes all of `bytes`; returns 0, or the error that stopped it.
  @discardableResult
  static func write(_ bytes: Span<UInt8>, to descriptor: Int32) -> Int32 {
    var rest = bytes
    while !rest.isEmpty {
      let written = unsafe rest.withUnsafeBytes {
        unsafe Platform.write(descriptor, $0.baseAddress, $0.count)
      }
      if written >= 0 {
        rest = rest.extracting(droppingFirst: written)
      } else if errno == EAGAIN {
        Platform.wait(for: descriptor, Int16(POLLOUT))
      } else if errno != EINTR {
        return errno
      }
    }
    return 0
  }
}
