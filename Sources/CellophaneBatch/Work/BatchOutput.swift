package import Cellophane

/// Where what lines come to is written: a file each, or many in an archive.
package protocol BatchOutput: Sendable {
  /// Whether what it writes is named, or found again, by the keys of requests.
  var needsKeys: Bool { get }

  /// Where what `subject` names is already, so that its line asks nobody; nil when it has to be loaded.
  func place(of subject: OutputName.Subject) -> OutputPlace?

  /// Writes what a line came to.
  func keep(_ item: BatchWork.Item) throws(LoadError) -> OutputPlace

  /// Ends what is not whole yet; nothing comes any more.
  ///
  /// - Throws: when something is lost that was written.
  func finish() throws(LoadError)
}

/// Where something was written.
package struct OutputPlace: Equatable, Sendable {
  /// The path within the folder; nil when only that it is there is known.
  package let file: String?

  package init(file: String?) { self.file = file }
}
