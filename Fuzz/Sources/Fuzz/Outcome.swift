import CFuzzing
@testable import CellophaneCore
import CellophaneAVIF
import CellophaneGIF
@testable import CellophaneImages
import CellophaneWebP

/// The result of decoding a file.
enum Outcome: Equatable, CustomStringConvertible {
  case picture(Image)
  case failure(LoadError)

  /// Stores the result of `decode` and reports it to libFuzzer.
  init(_ decode: () throws(LoadError) -> Image) {
    do {
      self = .picture(try decode())
    } catch {
      self = .failure(error)
    }
    note()
  }

  /// The image, or nil if decoding failed.
  var picture: Image? {
    if case .picture(let image) = self { image } else { nil }
  }

  var description: String {
    switch self {
    case .picture(let image): "an image of \(image.width)x\(image.height)"
    case .failure(let error): error.description
    }
  }

  /// Returns a description of the difference from another result for the same file.
  func difference(from other: Outcome) -> String {
    guard let (one, two) = picture.flatMap({ one in other.picture.map { (one, $0) } }),
      one.width == two.width,
      one.height == two.height
    else { return "\(self) and \(other)" }
    let pixels = (0..<one.height).flatMap { y in (0..<one.width).map { (x: $0, y: y) } }
    let different = pixels.filter { one[$0.x, $0.y] != two[$0.x, $0.y] }
    guard let first = different.first else { return "\(self), complete and partial" }
    return "\(different.count) pixels of \(self), the first in column \(first.x) of row \(first.y)"
  }

  /// Reports an error message as coverage. Each message of libpng and libjpeg marks a location in their code,
  /// so the hash ignores the digits.
  private func note() {
    guard case .failure(let error) = self else { return }
    var hash: UInt32 = 2_166_136_261
    for byte in error.description.utf8 where !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
      hash = (hash ^ UInt32(byte)) &* 16_777_619
    }
    fuzzing_note(hash)
  }
}

extension LoadError {
  /// Returns whether two errors agree.
  ///
  /// They agree if they have the same kind, or if both report a damaged file: the kind for a truncated and
  /// corrupt file depends on the order of the checks. An error for a file that is too short for its pixels
  /// agrees with every error, because the decoder stops at that check.
  func isLike(_ other: LoadError) -> Bool {
    let damage: [Kind] = [.truncated, .corrupt]
    return kind == other.kind || damage.contains(kind) && damage.contains(other.kind)
      || isOfShortFile || other.isOfShortFile
  }

  private var isOfShortFile: Bool { kind == .truncated && message.contains("bytes cannot hold") }
}

extension ImageDecoder {
  /// The decoder under test.
  ///
  /// Its limit is 1 megapixel, because larger images reach no other code. Its clock is stopped, so that no
  /// result depends on the speed of the machine. libFuzzer limits the time of an input.
  static let fuzzed = ImageDecoder(
    codecs: [.png, .jpeg, .webP, .gif, .avif], maximumPixels: 1 << 20,
    timeline: Timeline(clock: StandingClock(), unixTime: { 0 }))

  /// Decodes twice, with different contents of fresh memory. The results must be equal.
  func decodeTwice(_ file: [UInt8], options: ImageOptions) -> Outcome {
    fuzzing_fill_memory(0x00)
    let first = Outcome { () throws(LoadError) in try decode(file, options: options) }
    fuzzing_fill_memory(0xFF)
    let second = Outcome { () throws(LoadError) in try decode(file, options: options) }
    demand(first == second, "the result depends on uninitialized memory: \(first.difference(from: second))")
    return first
  }
}
