/// The last step of a value that is derived from another value of the same response, for example a blurred image from
/// the sharp one.
///
/// Concurrent loads of several values with the same base load and decode the base once.
public struct Derivation<Options: Hashable & Sendable, Value: Sendable>: Sendable {
  /// The options of the value from which this one is derived.
  public let base: Options
  /// Returns the peak memory of the step in bytes, without that of its argument. Must be cheap.
  public let workingBytes: @Sendable (Value) -> Int
  /// Returns the derived value, within the limits of decoding.
  public let derive: @Sendable (Value) throws(LoadError) -> Value

  /// Creates a step that derives a value from the value of the options `base`.
  public init(
    from base: Options, workingBytes: @escaping @Sendable (Value) -> Int,
    derive: @escaping @Sendable (Value) throws(LoadError) -> Value
  ) {
    self.base = base
    self.workingBytes = workingBytes
    self.derive = derive
  }
}
