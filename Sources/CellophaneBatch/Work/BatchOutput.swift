package import Cellophane

/// The destination of the loaded records: a folder of files, or archives.
package protocol BatchOutput: Sendable {
  /// Whether files are named or found by the keys of requests.
  var needsKeys: Bool { get }

  /// Returns the location of the output of `subject` if it exists, so that the record needs no load; nil
  /// otherwise.
  func location(of subject: OutputName.Subject) -> OutputLocation?

  /// Writes the output of a record.
  func keep(_ item: BatchWork.Item) throws(LoadError) -> OutputLocation

  /// Completes unfinished files. No record follows.
  ///
  /// - Throws: A ``LoadError`` if written output is lost.
  func finish() throws(LoadError)
}

/// The location of an output.
package struct OutputLocation: Equatable, Sendable {
  /// The path within the folder; nil if the output exists but its path is unknown.
  package let file: String?

  package init(file: String?) { self.file = file }
}
