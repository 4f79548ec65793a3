/// A decoding that receives the bytes in pieces as they arrive. Used by one task at a time.
public protocol IncrementalDecoding<Value>: AnyObject {
  /// The type of the decoded value.
  associatedtype Value: Sendable

  /// Decodes as far as the bytes including `piece` allow.
  ///
  /// - Returns: True if a preview now shows more: rows of a baseline JPEG or PNG, a pass of an interlaced
  ///   PNG, or a complete scan of a progressive JPEG.
  /// - Throws: ``LoadError`` if the bytes cannot become a value; every later call throws it as well.
  ///   ``LoadError/cancelled`` if the task was cancelled; another task may continue.
  func feed(_ piece: [UInt8]) throws(LoadError) -> Bool

  /// Returns the part decoded so far; nil if nothing is visible yet. Never cached as the value.
  func preview() throws(LoadError) -> Value?

  /// Returns the value after all bytes were fed, without decoding again.
  ///
  /// - Throws: ``LoadError`` if decoding all bytes at once would throw. For a file with several defects the
  ///   two errors may differ.
  func finish() throws(LoadError) -> Value
}
