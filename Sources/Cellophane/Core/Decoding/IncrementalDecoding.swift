/// A decoding that is fed piece by piece, while the bytes arrive. Belongs to one task at a time.
public protocol IncrementalDecoding<Value>: AnyObject {
  /// What it makes.
  associatedtype Value: Sendable

  /// Takes the next bytes and decodes as far as they reach.
  ///
  /// - Returns: True when there is more to see than before: rows of a baseline JPEG or PNG, a pass, a finished
  ///   scan of a progressive JPEG.
  /// - Throws: ``LoadError`` when the bytes so far show that there will be no value; every later call then throws
  ///   it too. ``LoadError/cancelled`` when the task was cancelled; another task may go on.
  func feed(_ piece: [UInt8]) throws(LoadError) -> Bool

  /// What there is so far; nil before there is anything to see. Never to be cached as the value.
  func preview() throws(LoadError) -> Value?

  /// The value, when all bytes have been fed: no second pass over what was decoded already.
  ///
  /// - Throws: ``LoadError`` where decoding all bytes at once throws one. Of a file that is wrong in several ways
  ///   the two may name another one.
  func finish() throws(LoadError) -> Value
}
