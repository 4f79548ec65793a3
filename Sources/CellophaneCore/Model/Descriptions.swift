// One line for each value that would otherwise print its bytes, its pixels or its credentials.

extension ResponseKey: CustomStringConvertible {
  /// The URL.
  public var description: String { url }
}

extension PixelSize: CustomStringConvertible {
  /// The width and the height: `96x64`.
  public var description: String { "\(width)x\(height)" }
}

extension ImageOptions: CustomStringConvertible {
  /// The size and the mode, or `full size`, and the other options that differ from the default.
  public var description: String {
    var words = [targetSize.map { "\($0) \(mode)" } ?? "full size"]
    if filter != .area { words.append("\(filter)") }
    if enlarges { words.append("enlarges") }
    if !appliesOrientation { words.append("as stored") }
    if allowsPartial { words.append("partial") }
    if let processorChain { words.append("processors: \(processorChain.count)") }
    return words.joined(separator: " ")
  }
}

/// Returns `value` in one line, for descriptions of types that contain it: the number of bytes for a body.
package func oneLine(_ value: some Any) -> String {
  if let bytes = value as? [UInt8] { return "\(bytes.count) bytes" }
  return "\(value)"
}
