extension PixelSize {
  /// The number of pixels; nil if a side is not positive or the product overflows.
  var area: Int? {
    guard width > 0, height > 0 else { return nil }
    let (area, overflow) = width.multipliedReportingOverflow(by: height)
    return overflow ? nil : area
  }

  /// The bytes of an image of this size, 4 per pixel; nil under the same conditions as ``area``.
  var byteCount: Int? {
    guard let area else { return nil }
    let (count, overflow) = area.multipliedReportingOverflow(by: 4)
    return overflow ? nil : count
  }
}
