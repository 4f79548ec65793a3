import CFuzzing
@testable import CellophaneCore
@testable import CellophaneImages

extension Target {
  /// Checks that decoding through libdeflate gives the same result as decoding through libpng.
  func checkInflating(_ input: [UInt8]) -> Bool {
    guard input.starts(with: PNGHeader.signature) else { return false }
    var options = ImageOptions(choosing: input)
    if input.count.isMultiple(of: 2) { options.targetSize = nil }
    let fast = ImageDecoder.fuzzed.decodeTwice(input, options: options)
    let plain = Outcome { () throws(LoadError) in
      try ImageDecoder.fuzzed.decode(input, options: options, usesFastPath: false)
    }
    if fast != plain, fast.picture?.isPartial == false, isForgivenByLibdeflate(input) { return true }
    demand(fast == plain, "through libdeflate and through libpng: \(fast.difference(from: plain))")
    return true
  }

  /// Returns whether zlib rejects the compressed data because of a code without a meaning. libdeflate does
  /// not check for these codes; see `InflatedPNG`.
  private func isForgivenByLibdeflate(_ file: [UInt8]) -> Bool {
    guard let deflated = PNGFile(file)?.deflated,
      let said = fuzzing_inflate_complaint(deflated, deflated.count)
    else { return false }
    return [
      "too many length or distance symbols", "invalid code lengths set", "invalid bit length repeat",
      "invalid literal/lengths set", "invalid distances set", "invalid literal/length code",
      "invalid distance code",
    ].contains(String(cString: said))
  }
}
