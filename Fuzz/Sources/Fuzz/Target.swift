import CellophaneAVIF
import CellophaneGIF
@testable import CellophaneImages
import CellophaneWebP

/// A function under test, with the rule that must hold for every input.
enum Target: String, CaseIterable {
  /// Headers: parsing does not trap, and the stated size is the decoded size.
  case header
  /// PNG: the result does not depend on uninitialized memory, and `allowsPartial` does not change a complete
  /// image.
  case png
  /// JPEG: the rule of ``png``.
  case jpeg
  /// WebP: the rule of ``png``.
  case webp
  /// GIF: the rule of ``png``.
  case gif
  /// AVIF: the rule of ``png``.
  case avif
  /// Animations: the frames of two rounds are the same, and have the size of the canvas.
  case animation
  /// PNG through libdeflate: the result equals that of libpng.
  case fastpng
  /// EXIF: the orientation and the fields are the same alone and in both formats.
  case exif
  /// Color profiles: parsing does not trap, and the profile is the same in both formats.
  case color
  /// Incremental decoding: a file fed in pieces gives the same result as the complete file.
  case incremental
  /// Resizing: the result has the size that the documentation of the options states.
  case resize

  /// The target that `--target=` selects.
  static let chosen: Target = {
    let option = "--target="
    let name = CommandLine.arguments.first { $0.hasPrefix(option) }?.dropFirst(option.count) ?? ""
    guard let target = Target(rawValue: String(name)) else {
      let names = allCases.map(\.rawValue).joined(separator: ", ")
      fatalError("\(option)NAME is required; NAME is one of \(names)")
    }
    return target
  }()

  /// The number of bytes at the end of an input that select the options.
  ///
  /// Decoders ignore bytes after the end of an image. So every image is a valid input, and every input can be
  /// opened as an image.
  static let choosingBytes = 8

  /// Whether the last bytes of an input select the options.
  var readsChoices: Bool { [.fastpng, .incremental, .resize].contains(self) }

  /// Ends the process if `input` breaks the rule of this target. Returns false if the input is not for this
  /// target.
  func check(_ input: [UInt8]) -> Bool {
    switch self {
    case .header: checkHeader(input)
    case .png: checkPicture(input, format: .png)
    case .jpeg: checkPicture(input, format: .jpeg)
    case .webp: checkPicture(input, format: .webP)
    case .gif: checkPicture(input, format: .gif)
    case .avif: checkPicture(input, format: .avif)
    case .animation: checkAnimation(input)
    case .fastpng: checkInflating(input)
    case .exif: checkOrientation(input)
    case .color: checkColor(input)
    case .incremental: checkFeeding(input)
    case .resize: checkResizing(input)
    }
  }
}

/// Ends the process unless `condition` is true. libFuzzer detects this and saves the input.
func demand(_ condition: Bool, _ what: @autoclosure () -> String) {
  if !condition { fatalError(what()) }
}
