internal import Cellophane
internal import CellophaneBrowser
internal import CellophaneResults
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The output of the tool: results on standard output, everything else on standard error.
///
/// A failed write of results is an error, ``LoadError/Kind/io``. If the reader has closed its pipe, as `head` does, the
/// error is not printed: the tool finishes its writes to disk and ends silently.
enum Output {
  private static let isUnread = Atomic(false)

  /// True after a write of results to a pipe without a reader.
  static var hasNoReader: Bool { isUnread.load(ordering: .relaxed) }

  /// Prints a line of results.
  static func line(_ text: String) throws(LoadError) { try bytes(Array((escaped(text) + "\n").utf8).span) }

  /// Prints lines of results.
  static func lines(_ texts: [String]) throws(LoadError) {
    // A thousand per system call: few calls, and little memory for a long list.
    for start in stride(from: 0, to: texts.count, by: 1_000) {
      let piece = texts[start..<min(start + 1_000, texts.count)].map { escaped($0) + "\n" }
      try bytes(Array(piece.joined().utf8).span)
    }
  }

  /// Writes bytes of results.
  static func bytes(_ bytes: Span<UInt8>) throws(LoadError) {
    switch Platform.write(bytes, to: STDOUT_FILENO) {
    case 0: return
    case let error:
      if error == EPIPE { isUnread.store(true, ordering: .relaxed) }
      throw LoadError(.io, "cannot write the results: \(Platform.reason(error))")
    }
  }

  /// Prints a message.
  static func note(_ text: String) {
    Platform.write(Array((escaped(text) + "\n").utf8).span, to: STDERR_FILENO)
  }

  /// Prints a line on a terminal that the next one overwrites.
  static func transient(_ text: String) {
    Platform.write(Array(("\r\u{1B}[K" + text).utf8).span, to: STDERR_FILENO)
  }

  /// Writes control sequences of the tool to the terminal.
  static func raw(_ text: String) { Platform.write(Array(text.utf8).span, to: STDERR_FILENO) }

  /// Prints an error as one line. Line breaks become spaces.
  static func error(_ text: String) {
    note("cellophane: " + text.split(whereSeparator: \.isNewline).joined(separator: " "))
  }

  /// Prints one object, indented and with sorted keys, so that two runs can be compared line by line.
  static func json(_ value: some Encodable) throws(LoadError) {
    let encoded: [UInt8]
    do { encoded = try JSONText.lines(value) } catch {
      throw LoadError(.io, "cannot write the results as JSON: \(error)")
    }
    try bytes(encoded.span)
  }

  /// True if standard error is a terminal that can overwrite a line.
  static var isTerminal: Bool { Platform.isTerminal(STDERR_FILENO) }

  /// True if standard input is a terminal.
  static var readsTerminal: Bool { Platform.isTerminal(STDIN_FILENO) }

  /// True if standard output is a terminal that supports control sequences.
  static var showsResultsOnTerminal: Bool { Platform.isTerminal(STDOUT_FILENO) }

  /// Returns `text` with escaped control characters and line breaks. Text from origins and file names must not control
  /// the terminal or look like another line of the tool.
  private static func escaped(_ text: String) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar.properties.generalCategory == .control {
        escaped.append(contentsOf: scalar.escaped(asASCII: true).unicodeScalars)
      } else {
        escaped.append(scalar)
      }
    }
    return String(escaped)
  }
}
