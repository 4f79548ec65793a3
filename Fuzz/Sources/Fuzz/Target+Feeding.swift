import CFuzzing
@testable import Cellophane

extension Target {
  /// Fed in pieces, a file comes to what it comes to at once; and what is shown meanwhile is made of its bytes
  /// and not of what memory held.
  func checkFeeding(_ input: [UInt8]) -> Bool {
    guard input.starts(with: PNGHeader.signature) || input.starts(with: JPEGHeader.signature) else {
      return false
    }
    var options = ImageOptions(choosing: input)
    if input.count.isMultiple(of: 2) { options.targetSize = nil }
    let whole = Outcome { () throws(LoadError) in try ImageDecoder.fuzzed.decode(input, options: options) }
    fuzzing_fill_memory(0x00)
    let fed = Feeding(input, options: options)
    fuzzing_fill_memory(0xFF)
    demand(
      fed == Feeding(input, options: options), "what memory held before shows in a preview or the result")

    demandAgreement(fed.outcome, whole)
    for preview in fed.previews {
      demand(preview.isPartial, "a preview passes for the picture")
      guard let picture = whole.picture else { continue }
      let (shown, final) = (
        PixelSize(width: preview.width, height: preview.height),
        PixelSize(width: picture.width, height: picture.height)
      )
      // A PNG may say behind its pixels that it lies on its side.
      let isTurnedLate = input.starts(with: PNGHeader.signature) && options.appliesOrientation
      demand(
        shown == final || isTurnedLate,
        "a preview has \(shown), the picture \(final)")
    }
    return true
  }

  private func demandAgreement(_ fed: Outcome, _ whole: Outcome) {
    switch (fed, whole) {
    case (.failure(let inPieces), .failure(let atOnce)):
      demand(inPieces.isLike(atOnce), "in pieces: \(inPieces), at once: \(atOnce)")
    default:
      demand(fed == whole, "in pieces and at once: \(fed.difference(from: whole))")
    }
  }
}

/// What came of a file that was fed in pieces.
private struct Feeding: Equatable {
  private(set) var previews: [Image] = []
  private(set) var outcome: Outcome

  /// The most pieces and the most previews: enough for every state, and a byte at a time for small files.
  private static let mostPieces = 200
  private static let mostPreviews = 12

  /// The last bytes of `file` choose where it is cut.
  init(_ file: [UInt8], options: ImageOptions) {
    var numbers = Numbers(seed: file.suffix(Target.choosingBytes).reduce(0) { $0 << 8 | UInt64($1) })
    let longest = max(2 * file.count / Self.mostPieces, [1, 16, 256, file.count][numbers.below(4)])
    var previews: [Image] = []
    outcome = Outcome { () throws(LoadError) in
      guard let decoding = ImageDecoder.fuzzed.incremental(options: options) else {
        throw LoadError(.unsupported, "pictures are not fed")
      }
      var start = 0
      while start < file.count {
        let end = min(start + numbers.below(longest) + 1, file.count)
        let hasMore = try decoding.feed(Array(file[start..<end]))
        start = end
        // Also now and then when nothing is new.
        guard previews.count < Self.mostPreviews, hasMore || numbers.below(8) == 0 else { continue }
        if let preview = try decoding.preview() { previews.append(preview) }
      }
      return try decoding.finish()
    }
    self.previews = previews
  }
}
