internal import ArgumentParser
internal import CellophaneBatch

/// The sizes of the images that a batch keeps.
struct PictureFilterOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Leave out images whose shorter side has fewer pixels. Such a transfer ends after the header of the image, and the \
      record is filtered. (default: no limit)
      """, valueName: "n"))
  var minSize: Int?

  @Option(
    help: ArgumentHelp(
      "Leave out images of more than n pixels in the same way. (default: no limit)", valueName: "n"))
  var maxArea: Int?

  @Option(
    help: ArgumentHelp(
      "Leave out images whose longer side is more than x times the shorter one. (default: no limit)",
      valueName: "x"))
  var maxAspect: Double?

  /// The filter.
  var filter: PictureFilter { PictureFilter(minSize: minSize, maxArea: maxArea, maxAspect: maxAspect) }

  func validate() throws {
    if let minSize, minSize < 1 { throw ValidationError("--min-size must be at least 1") }
    if let maxArea, maxArea < 1 { throw ValidationError("--max-area must be at least 1") }
    if let maxAspect, !(maxAspect >= 1) { throw ValidationError("--max-aspect must be at least 1") }
  }
}
