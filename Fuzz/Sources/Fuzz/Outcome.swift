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

extension ImageDecoder {
  /// 1 Mpx: larger pictures reach no other code, only later.
  static let fuzzed = ImageDecoder(maximumPixels: 1 << 20)

  /// Decodes twice, in memory that holds other bytes each time; the results must agree.
  func decodeTwice(_ file: [UInt8], options: ImageOptions) -> Outcome {
    fuzzing_fill_memory(0x00)
    let first = Outcome { () throws(LoadError) in try decode(file, options: options) }
    fuzzing_fill_memory(0xFF)
    let second = Outcome { () throws(LoadError) in try decode(file, options: options) }
    demand(first == second, "what memory held before shows in the result: \(first), then \(second)")
    return first
  }
}
