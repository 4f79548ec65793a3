extension Image: CustomStringConvertible, CustomReflectable {
  /// The size, with `partial` for a partial image: `Image(96x64)`.
  public var description: String { "Image(\(width)x\(height)\(isPartial ? ", partial" : ""))" }
  /// The size and the defects, without the pixels.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: ["width": width, "height": height, "isPartial": isPartial, "warnings": warnings])
  }
}
