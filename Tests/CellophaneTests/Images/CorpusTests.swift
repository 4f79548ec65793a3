internal import Cellophane
internal import Testing

/// Every file of the corpus against its line in the table; one failure per file.
@Suite struct CorpusTests {
  private let decoder = ImageDecoder()

  private typealias Outcome = Result<Image, LoadError>

  private func outcome(_ bytes: [UInt8], _ options: ImageOptions = ImageOptions()) -> Outcome {
    Result { () throws(LoadError) in try decoder.decode(bytes, options: options) }
  }

  @Test func theCorpusIsThere() {
    #expect(Corpus.whole.files.count > 900)
    #expect(Corpus.whole.damaged.count > 20)
  }

  @Test(arguments: [
    "png", "png-sizes", "png-odd", "png-bad", "jpeg", "jpeg-odd", "jpeg-bad", "turned", "foreign",
  ])
  func everyFileDecodesAsExpected(folder: String) throws {
    let files = Corpus.whole.files.filter { $0.file.hasPrefix(folder + "/") }
    try #require(!files.isEmpty)
    for file in files {
      if let flaw = flaw(of: file, try Corpus.bytes(of: file.file)) { Issue.record("\(file): \(flaw)") }
    }
  }

  /// What is wrong; nil when the file decodes as the table says.
  private func flaw(of file: CorpusFile, _ bytes: [UInt8]) -> String? {
    let once = outcome(bytes)
    guard once == outcome(bytes) else { return "it decodes differently the second time" }
    switch once {
    case .failure(let error): return flaw(of: error, file, bytes)
    case .success(let image): return flaw(of: image, file, bytes)
    }
  }

  private func flaw(of error: LoadError, _ file: CorpusFile, _ bytes: [UInt8]) -> String? {
    guard let expected = file.error else { return "it is a picture, not \(error)" }
    guard error.kind.rawValue == expected else { return "it is \(expected), not \(error)" }
    guard error.message.contains(file.says ?? "") else {
      return "its message does not say \(file.says ?? ""): \(error)"
    }
    // What has too many pixels is refused by the question that comes before any allocation.
    guard error.kind == .imageTooLarge, file.says != nil else { return nil }
    let asked = Result { () throws(LoadError) in try decoder.workingBytes(for: bytes, options: ImageOptions())
    }
    return asked == .failure(error) ? nil : "its working bytes are \(asked), not refused"
  }

  private func flaw(of image: Image, _ file: CorpusFile, _ bytes: [UInt8]) -> String? {
    if let error = file.error { return "it is \(error), not a picture" }
    return headerFlaw(file, bytes) ?? pixelFlaw(image, file, bytes) ?? memoryFlaw(image, bytes)
      ?? reductionFlaw(bytes)
  }

  private func headerFlaw(_ file: CorpusFile, _ bytes: [UInt8]) -> String? {
    guard let header = try? decoder.header(of: bytes) else { return "it has no header" }
    let agrees =
      header.size == file.size && header.orientation.rawValue == file.orientation ?? 1
      && header.colorModel.rawValue == file.model && header.bitDepth == file.bits
      && header.isProgressive == file.progressive
    return agrees ? nil : "its header says \(header)"
  }

  private func pixelFlaw(_ image: Image, _ file: CorpusFile, _ bytes: [UInt8]) -> String? {
    guard case .success(let unturned) = outcome(bytes, ImageOptions(appliesOrientation: false)) else {
      return "it cannot be left as stored"
    }
    guard PixelSize(width: unturned.width, height: unturned.height) == file.size else {
      return "as stored it is \(unturned.width)x\(unturned.height)"
    }
    let hash = hexadecimal(fnv1a(unturned.pixels))
    guard hash == file.pixels || hash == file.smoothedLater else {
      return "its pixels hash to \(hash), not \(file.pixels ?? "")"
    }
    guard let upright = file.upright else { return image == unturned ? nil : "it was turned" }
    guard PixelSize(width: image.width, height: image.height) == file.uprightSize else {
      return "it is shown at \(image.width)x\(image.height)"
    }
    let turned = hexadecimal(fnv1a(image.pixels))
    return turned == upright ? nil : "its pixels when upright hash to \(turned), not \(upright)"
  }

  private func memoryFlaw(_ image: Image, _ bytes: [UInt8]) -> String? {
    let cost = decoder.cost(of: image)
    guard cost == image.width * image.height * 4, cost == image.pixels.count else {
      return "it costs \(cost)"
    }
    guard let needed = try? decoder.workingBytes(for: bytes, options: ImageOptions()), needed >= cost else {
      return "less memory is asked for than it takes"
    }
    return nil
  }

  /// A picture that decodes whole must also decode smaller.
  private func reductionFlaw(_ bytes: [UInt8]) -> String? {
    let small = ImageOptions(targetSize: PixelSize(width: 3, height: 2), mode: .exact)
    if case .failure(let error) = outcome(bytes, small) { return "reduced it is \(error)" }
    return nil
  }

  @Test func damagedFilesDecodeAsExpected() throws {
    for file in Corpus.whole.damaged {
      let bytes = try Corpus.bytes(of: file.file)
      var numbers = SplitMix64(seed: file.seed)
      for (way, expected) in file.outcomes.split(separator: " ").enumerated() {
        let damaged = DamagedFile.damaged(bytes, way: way, numbers.next())
        let outcome = outcome(damaged, ImageOptions(appliesOrientation: false))
        let word = word(for: outcome)
        let agrees = expected == "?" ? word != "-" : word == expected
        if !agrees {
          Issue.record(
            "\(file.file) damaged in way \(way) of seed \(file.seed) is \(word), not \(expected): \(outcome.error)"
          )
        }
      }
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
  /// The error, for a message.
  fileprivate var error: String {
    if case .failure(let error) = self { "\(error)" } else { "no error" }
  }
}
