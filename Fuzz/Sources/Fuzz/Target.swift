/// What is fed with hostile input, and what must hold for every input.
enum Target: String, CaseIterable {
  /// Headers: never a trap, and the size they state is the one that is decoded.
  case header
  /// PNG: the same file gives the same result, whatever memory held before; and where a part is enough, what is
  /// whole stays whole.
  case png
  /// JPEG: the same.
  case jpeg
  /// PNGs over libdeflate: what libpng alone makes of the file.
  case fastpng
  /// The orientation in EXIF: the same inside both formats and by itself.
  case exif
  /// Colour profiles: never a trap, and the same in both formats.
  case color
  /// Pieces: a file fed in pieces comes to what it comes to at once.
  case incremental
  /// Target sizes: the result has the size that the options' documentation says.
  case resize

  /// The one that `--target=` names.
  static let chosen: Target = {
    let option = "--target="
    let name = CommandLine.arguments.first { $0.hasPrefix(option) }?.dropFirst(option.count) ?? ""
    guard let target = Target(rawValue: String(name)) else {
      let names = allCases.map(\.rawValue).joined(separator: ", ")
      fatalError("\(option) is needed, one of \(names)")
    }
    return target
  }()

  /// The last bytes of an input choose how it is read: behind the end of a picture nobody else reads them, so
  /// that every picture is a valid input and every input can be opened as a picture.
  static let choosingBytes = 8

  /// True when the last bytes choose.
  var readsChoices: Bool { [.fastpng, .incremental, .resize].contains(self) }

  /// Ends the process when `input` breaks what must hold; false when it is not for this target.
  func check(_ input: [UInt8]) -> Bool {
    switch self {
    case .header: checkHeader(input)
    case .png: checkPicture(input, format: .png)
    case .jpeg: checkPicture(input, format: .jpeg)
    case .fastpng: checkInflating(input)
    case .exif: checkOrientation(input)
    case .color: checkColor(input)
    case .incremental: checkFeeding(input)
    case .resize: checkResizing(input)
    }
  }
}

/// Ends the process, which is how libFuzzer learns of it, unless `condition` holds.
func demand(_ condition: Bool, _ what: @autoclosure () -> String) {
  if !condition { fatalError(what()) }
}
