internal import Cellophane
internal import CellophaneBatch

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// What is to be loaded: a file, standard input, or the URLs of the command line.
final class PrefetchList: Sendable {
  // 64 KB: what a pipe holds, and some hundred lines of a file.
  private static let chunk = 64 << 10

  let source: ListSource
  /// For sentences.
  let name: String
  /// What is said when it asks for nothing.
  let absence: String
  private let descriptor: Int32?

  /// Opens the one list that `arguments` name, standard input without any; or takes the URLs that they are. What begins
  /// with `http://` or `https://` is a URL: a file of such a name is written `./http:...`.
  ///
  /// - Throws: ``LoadError/Kind/io`` when a file cannot be opened.
  init(_ arguments: [String], format: ListFormat, field: FieldName) throws(LoadError) {
    let path = arguments.first ?? "-"
    guard !Self.isURL(path) else {
      (source, name, absence, descriptor) = (ListSource(urls: arguments), "the command line", "", nil)
      return
    }
    let isInput = path == "-"
    let descriptor = isInput ? STDIN_FILENO : try Platform.openForReading(path)
    name = isInput ? "standard input" : "the list '\(path)'"
    self.descriptor = descriptor
    absence = "\(name) has no URL"
    source = Self.source(of: descriptor, ListReader(format, field: field))
  }

  /// Opens the results of an earlier run, for the lines that failed in a way that may pass.
  ///
  /// - Throws: ``LoadError/Kind/io`` when the file cannot be opened.
  init(retrying path: String) throws(LoadError) {
    let isInput = path == "-"
    let descriptor = isInput ? STDIN_FILENO : try Platform.openForReading(path)
    name = isInput ? "standard input" : "the results '\(path)'"
    absence = "\(name) has no line that failed and may succeed now"
    self.descriptor = descriptor
    source = Self.source(of: descriptor, .retrying())
  }

  private static func source(of descriptor: Int32, _ reader: ListReader) -> ListSource {
    ListSource(reader, length: Platform.size(ofFile: descriptor)) { () throws(LoadError) in
      guard let bytes = Platform.read(descriptor, atMost: Self.chunk) else {
        throw LoadError(.io, Platform.reason(errno))
      }
      return bytes
    }
  }

  deinit {
    if let descriptor, descriptor != STDIN_FILENO { Platform.close(descriptor) }
  }

  /// How that is written which `arguments` name: as `told`, or as the name of the file tells.
  static func format(of arguments: [String], _ told: ListFormat?) -> ListFormat {
    if let told { return told }
    guard let path = arguments.first, !isURL(path) else { return .lines }
    return ListFormat(ofFileNamed: path)
  }

  /// Whether an argument is a URL, and no list.
  static func isURL(_ argument: String) -> Bool {
    let start = argument.prefix(8).lowercased()
    return start.hasPrefix("http://") || start.hasPrefix("https://")
  }

  /// True when `path` is the file that is read.
  func reads(fileAt path: String) -> Bool { descriptor.map { Platform.isFile($0, at: path) } ?? false }

  /// False once an error has ended the reading.
  var isReadable: Bool { (try? source.check()) != nil }

  /// - Throws: the error that ended the reading, when one did.
  func check() throws(LoadError) {
    do throws(LoadError) { try source.check() } catch {
      throw LoadError(error.kind, "cannot read \(name): \(error.message)")
    }
  }
}
