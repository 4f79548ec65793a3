package import Cellophane

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The input of a batch: a file, standard input, or the URLs of the command line.
package final class ListInput: Sendable {
  package let source: ListSource
  /// The name of the input in messages.
  package let name: String
  /// The message for an input without a record to load.
  package let emptyMessage: String
  private let descriptor: Int32?

  /// True if the list comes from standard input.
  package var isStandardInput: Bool { descriptor == STDIN_FILENO }

  /// The name of the places in the list that ``BatchResult/index`` counts.
  package var unit: String { descriptor == nil ? "argument" : "line" }

  /// Opens the list that `arguments` name, or standard input without arguments; or takes the URLs that they contain.
  ///
  /// Arguments that begin with `http://`, `https://` or `file:/` are URLs. A file with such a name can be given as `./http:...`.
  ///
  /// - Parameter required: The names of other fields that each record must have.
  /// - Throws: ``LoadError/Kind/io`` if a file cannot be opened.
  package init(
    _ arguments: [String], format: ListFormat, field: FieldName, requiring required: [String] = []
  ) throws(LoadError) {
    let path = arguments.first ?? "-"
    guard !Self.isURL(path) else {
      (source, name, emptyMessage, descriptor) = (ListSource(urls: arguments), "the command line", "", nil)
      return
    }
    let isInput = path == "-"
    let descriptor: Int32
    do throws(LoadError) {
      descriptor = isInput ? STDIN_FILENO : try Platform.openForReading(path)
    } catch {
      throw Self.isURLWithoutScheme(path) ? error.appending("; for a URL, write http:// before it") : error
    }
    name = isInput ? "standard input" : "the list '\(path)'"
    self.descriptor = descriptor
    emptyMessage = "\(name) has no URL"
    var reader = ListReader(format, field: field)
    reader.requiredFields = required
    source = Self.source(of: descriptor, reader)
  }

  /// Opens the results of an earlier run, to load the records that failed and may succeed now.
  ///
  /// - Throws: ``LoadError/Kind/io`` if the file cannot be opened.
  package init(retrying path: String, requiring required: [String] = []) throws(LoadError) {
    let isInput = path == "-"
    let descriptor = isInput ? STDIN_FILENO : try Platform.openForReading(path)
    name = isInput ? "standard input" : "the results '\(path)'"
    emptyMessage = "\(name) \(isInput ? "has" : "have") no failed record that may succeed now"
    self.descriptor = descriptor
    var reader = ListReader.retrying()
    reader.requiredFields = required
    source = Self.source(of: descriptor, reader)
  }

  private static func source(of descriptor: Int32, _ reader: ListReader) -> ListSource {
    let bytes = ListBytes(of: descriptor)
    return ListSource(reader, length: bytes.length) { () throws(LoadError) in try bytes.read() }
  }

  deinit {
    if let descriptor, descriptor != STDIN_FILENO { Platform.close(descriptor) }
  }

  /// Returns the format of the list that `arguments` name: `chosen`, or the format for the extension of its file.
  package static func format(of arguments: [String], _ chosen: ListFormat?) -> ListFormat {
    if let chosen { return chosen }
    guard let path = arguments.first, !isURL(path) else { return .lines }
    return ListFormat(ofFileNamed: path)
  }

  /// Returns true if an argument is an http, https or file URL and not a list.
  package static func isURL(_ argument: String) -> Bool {
    let start = argument.prefix(8).lowercased()
    return ["http://", "https://", "file:/"].contains(where: start.hasPrefix)
  }

  /// Returns true if `path` is the file of the list.
  func reads(fileAt path: String) -> Bool {
    descriptor.map { Platform.isFile($0, at: path) } ?? false
  }

  /// Returns true if no file has the path `argument`, and its first part may be a host.
  private static func isURLWithoutScheme(_ argument: String) -> Bool {
    guard let slash = argument.firstIndex(of: "/"), Platform.isDirectory(argument) == nil else {
      return false
    }
    let host = argument[..<slash]
    return host.first != "." && (host.contains(".") || host.contains(":"))
  }

  /// False after an error has ended the reading.
  package var isReadable: Bool { (try? source.check()) != nil }

  /// - Throws: The error that has ended the reading, if any.
  package func check() throws(LoadError) {
    do throws(LoadError) { try source.check() } catch {
      throw LoadError(error.kind, "cannot read \(name): \(error.message)")
    }
  }
}
