import CFuzzing
@testable import Cellophane

/// What came of decoding.
enum Outcome: Equatable, CustomStringConvertible {
  case picture(Image)
  case failure(LoadError)

  /// The result of `decode`, told to libFuzzer.
  init(_ decode: () throws(LoadError) -> Image) {
    do {
      self = .picture(try decode())
    } catch {
      self = .failure(error)
    }
    note()
  }

  /// The picture, if there is one.
  var picture: Image? {
    if case .picture(let image) = self { image } else { nil }
  }

  var description: String {
    switch self {
    case .picture(let image): "a picture of \(image.width)x\(image.height)"
    case .failure(let error): error.description
    }
  }

  /// Where another outcome of the same file differs, for a message.
  func difference(from other: Outcome) -> String {
    guard let (one, two) = picture.flatMap({ one in other.picture.map { (one, $0) } }),
      one.width == two.width,
      one.height == two.height
    else { return "\(self), then \(other)" }
    let pixels = (0..<one.height).flatMap { y in (0..<one.width).map { (x: $0, y: y) } }
    let different = pixels.filter { one[$0.x, $0.y] != two[$0.x, $0.y] }
    guard let first = different.first else { return "\(self), whole or not" }
    return "\(different.count) pixels of \(self), the first in column \(first.x) of row \(first.y)"
  }

  /// Every sentence of libpng and libjpeg stands for a place in them, whatever the numbers in it.
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
  /// The same kind, or both say that the file is damaged: a file that is cut off and broken as well is either,
  /// depending on what is looked at first. A whole file that is too short for its pixels is not looked at
  /// further, so that anything else may be wrong with it, too.
  func isLike(_ other: LoadError) -> Bool {
    let damage: [Kind] = [.truncated, .corrupt]
    return kind == other.kind || damage.contains(kind) && damage.contains(other.kind)
      || isOfShortFile || other.isOfShortFile
  }

  private var isOfShortFile: Bool { kind == .truncated && message.contains("bytes cannot hold") }
}

extension ImageDecoder {
  /// 1 Mpx: larger pictures reach no other code, only later. Its clock stands, so that no result depends on how
  /// fast the machine is; how long an input may take is libFuzzer's to say.
  static let fuzzed = ImageDecoder(
    maximumPixels: 1 << 20, timeline: Timeline(clock: StandingClock(), unixTime: { 0 }))

  /// Decodes twice, in memory that holds other bytes each time; the results must agree.
  func decodeTwice(_ file: [UInt8], options: ImageOptions) -> Outcome {
    fuzzing_fill_memory(0x00)
    let first = Outcome { () throws(LoadError) in try decode(file, options: options) }
    fuzzing_fill_memory(0xFF)
    let second = Outcome { () throws(LoadError) in try decode(file, options: options) }
    demand(first == second, "what memory held before shows in the result: \(first.difference(from: second))")
    return first
  }
}
