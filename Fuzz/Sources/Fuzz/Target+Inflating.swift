import CFuzzing
@testable import Cellophane

extension Target {
  /// Whatever is not libpng's own way comes to what libpng comes to.
  func checkInflating(_ input: [UInt8]) -> Bool {
    guard input.starts(with: PNGHeader.signature) else { return false }
    var options = ImageOptions(choosing: input)
    if input.count.isMultiple(of: 2) { options.targetSize = nil }
    let fast = ImageDecoder.fuzzed.decodeTwice(input, options: options)
    let plain = Outcome { () throws(LoadError) in
      try ImageDecoder.fuzzed.decode(input, options: options, inflatesAtOnce: false)
    }
    if fast != plain, fast.picture?.isPartial == false, isForgivenByLibdeflate(input) { return true }
    demand(fast == plain, "over libdeflate and over libpng: \(fast.difference(from: plain))")
    return true
  }

  /// True when zlib refuses the compressed data for a code that has no meaning, which libdeflate does not look
  /// for; see `InflatedPNG`.
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
