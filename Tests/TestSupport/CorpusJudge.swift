package import CellophaneImages
internal import CellophaneCore

/// Compares what a decoder does with the files of a corpus with the table of the corpus.
package struct CorpusJudge: Sendable {
  private let corpus: Corpus
  private let decoder: ImageDecoder

  package init(_ corpus: Corpus, _ decoder: ImageDecoder) {
    (self.corpus, self.decoder) = (corpus, decoder)
  }

  private typealias Outcome = Result<Image, LoadError>

  private func outcome(_ bytes: [UInt8], _ options: ImageOptions = ImageOptions()) -> Outcome {
    Result { () throws(LoadError) in try decoder.decode(bytes, options: options) }
  }

  /// Returns the difference from the table, or nil without a difference.
  package func flaw(of file: CorpusFile) throws -> String? {
    let bytes = try corpus.bytes(of: file.file)
    let once = outcome(bytes)
    guard once == outcome(bytes) else { return "it decodes differently the second time" }
    switch once {
    case .failure(let error): return flaw(of: error, file, bytes)
    case .success(let image): return flaw(of: image, file, bytes)
    }
  }

  private func flaw(of error: LoadError, _ file: CorpusFile, _ bytes: [UInt8]) -> String? {
    guard let expected = file.error else { return "it must be an image, but fails with \(error)" }
    guard error.kind.rawValue == expected else { return "it must fail with \(expected), not \(error)" }
    guard error.message.contains(file.says ?? "") else {
      return "its message does not contain \(file.says ?? ""): \(error)"
    }
    // An image with too many pixels must already be rejected by `workingBytes`, before any allocation.
    guard error.kind == .imageTooLarge, file.says != nil else { return nil }
    let needed = Result { () throws(LoadError) in
      try decoder.workingBytes(for: bytes, options: ImageOptions())
    }
    return needed == .failure(error) ? nil : "its working bytes are \(needed), not an error"
  }

  private func flaw(of image: Image, _ file: CorpusFile, _ bytes: [UInt8]) -> String? {
    if let error = file.error { return "it is an image, but must fail with \(error)" }
    guard image.warnings.map(\.rawValue) == file.warnings ?? [] else {
      return "its warnings are \(image.warnings.map(\.rawValue))"
    }
    return headerFlaw(file, bytes) ?? pixelFlaw(image, file, bytes) ?? memoryFlaw(image, bytes)
      ?? reductionFlaw(bytes)
  }

  private func headerFlaw(_ file: CorpusFile, _ bytes: [UInt8]) -> String? {
    guard let header = try? decoder.header(of: bytes) else { return "it has no header" }
    let agrees =
      header.size == file.size && header.orientation.rawValue == file.orientation ?? 1
      && header.colorModel.rawValue == file.model && header.bitDepth == file.bits
      && header.isProgressive == file.progressive
    return agrees ? nil : "its header is \(header)"
  }

  private func pixelFlaw(_ image: Image, _ file: CorpusFile, _ bytes: [UInt8]) -> String? {
    guard case .success(let stored) = outcome(bytes, ImageOptions(appliesOrientation: false)) else {
      return "it cannot be decoded without orientation"
    }
    guard PixelSize(width: stored.width, height: stored.height) == file.size else {
      return "its stored size is \(stored.width)x\(stored.height)"
    }
    let hash = hexadecimal(fnv1a(stored.pixels))
    guard hash == file.pixels || hash == file.smoothedLater else {
      return "its pixels hash to \(hash), not \(file.pixels ?? "")"
    }
    guard let upright = file.upright else { return image == stored ? nil : "it was rotated" }
    guard PixelSize(width: image.width, height: image.height) == file.uprightSize else {
      return "its displayed size is \(image.width)x\(image.height)"
    }
    let uprightHash = hexadecimal(fnv1a(image.pixels))
    return uprightHash == upright ? nil : "its upright pixels hash to \(uprightHash), not \(upright)"
  }

  private func memoryFlaw(_ image: Image, _ bytes: [UInt8]) -> String? {
    let cost = decoder.cost(of: image)
    guard cost == image.width * image.height * 4, cost == image.pixels.count else {
      return "it costs \(cost)"
    }
    guard let needed = try? decoder.workingBytes(for: bytes, options: ImageOptions()), needed >= cost else {
      return "its working bytes are fewer than its pixels"
    }
    return nil
  }

  /// Returns an error if the image cannot be decoded at a smaller size.
  private func reductionFlaw(_ bytes: [UInt8]) -> String? {
    let small = ImageOptions(targetSize: PixelSize(width: 3, height: 2), mode: .exact)
    if case .failure(let error) = outcome(bytes, small) { return "reducing it fails with \(error)" }
    return nil
  }

  /// Returns the difference between `file` decoded in pieces and decoded at once, or nil without a difference.
  package func flawInPieces(of file: CorpusFile) throws -> String? {
    let bytes = try corpus.bytes(of: file.file)
    for options in [ImageOptions(), ImageOptions(targetSize: PixelSize(width: 9, height: 7), mode: .fill)] {
      for step in [1, 7, 400] {
        guard let decoding = decoder.incremental(options: options) else {
          return "it needs all bytes at once"
        }
        let outcome = Outcome { () throws(LoadError) in
          for start in stride(from: 0, to: bytes.count, by: step) {
            _ = try decoding.feed(Array(bytes[start..<min(start + step, bytes.count)]))
          }
          return try decoding.finish()
        }
        if outcome != self.outcome(bytes, options) { return "it differs in pieces of \(step) bytes" }
      }
    }
    return nil
  }

  /// Returns the differences from the table for variants of `file`.
  package func flaws(of file: DamagedFile) throws -> [String] {
    let bytes = try corpus.bytes(of: file.file)
    var numbers = SplitMix64(seed: file.seed)
    return file.outcomes.split(separator: " ").enumerated().compactMap { variant, expected in
      let damaged = DamagedFile.damaged(bytes, variant: variant, numbers.next())
      let outcome = outcome(damaged, ImageOptions(appliesOrientation: false))
      let word = word(for: outcome)
      if expected == "?" ? word != "-" : word == expected { return nil }
      return
        "\(file.file), variant \(variant) of seed \(file.seed): \(word), not \(expected): \(outcome.error)"
    }
  }

  private func word(for outcome: Outcome) -> String {
    switch outcome {
    case .failure: "-"
    case .success(let image): String(hexadecimal(fnv1a(image.pixels)).suffix(8))
    }
  }

  private func hexadecimal(_ hash: UInt64) -> String {
    let digits = String(hash, radix: 16, uppercase: true)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

extension Result {
  /// The error for a message.
  fileprivate var error: String {
    if case .failure(let error) = self { "\(error)" } else { "no error" }
  }
}
