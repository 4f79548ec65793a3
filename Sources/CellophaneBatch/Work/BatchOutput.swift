package import Cellophane

/// The destination of the loaded records: files or archives, in a folder or in an object store.
package protocol BatchOutput: Sendable {
  /// Whether records with one URL share a file. False if each has its own sample.
  var sharesFiles: Bool { get }

  /// Claims the name of `subject`, for one record after the other, in the order of the list.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` if a record with another output has it.
  func claimName(of subject: OutputName.Subject) throws(LoadError)

  /// Returns the location of the output of `subject` if an earlier run wrote it from the same request and options, so
  /// that the record needs no load; nil otherwise.
  func location(of subject: OutputName.Subject) -> OutputLocation?

  /// Writes the output of a record.
  func keep(_ item: BatchWork.Item) async throws(LoadError) -> OutputLocation

  /// Completes unfinished files. No record follows.
  ///
  /// - Throws: A ``LoadError`` if written output is lost.
  func finish() async throws(LoadError)
}

/// The location of an output.
package struct OutputLocation: Equatable, Sendable {
  /// The path within the folder or location; nil if the output exists but its path is unknown.
  package let file: String?

  package init(file: String?) { self.file = file }
}
