import CFuzzing
@testable import CellophaneCore
@testable import CellophaneImages

extension Target {
  /// Checks that a file that is fed in pieces gives the same result as the complete file, and that previews
  /// do not depend on uninitialized memory.
  func checkFeeding(_ input: [UInt8]) -> Bool {
    guard (try? ImageDecoder.fuzzed.registry.codec(for: ByteView(input))) != nil else { return false }
    var options = ImageOptions(choosing: input)
    if input.count.isMultiple(of: 2) { options.targetSize = nil }
    let whole = Outcome { () throws(LoadError) in try ImageDecoder.fuzzed.decode(input, options: options) }
    fuzzing_fill_memory(0x00)
    let fed = Feeding(input, options: options)
    fuzzing_fill_memory(0xFF)
    demand(
      fed == Feeding(input, options: options), "a preview or the result depends on uninitialized memory")

    demandAgreement(fed.outcome, whole)
    for preview in fed.previews {
      demand(preview.isPartial, "a preview is not marked as partial")
      guard let picture = whole.picture else { continue }
      let (shown, final) = (
        PixelSize(width: preview.width, height: preview.height),
        PixelSize(width: picture.width, height: picture.height)
      )
      // A PNG and a WebP can state their orientation after their pixels.
      let isTurnedLate = !input.starts(with: JPEGHeader.signature) && options.appliesOrientation
      demand(
        shown == final || isTurnedLate,
        "a preview has the size \(shown), the image \(final)")
    }
    return true
  }

  private func demandAgreement(_ fed: Outcome, _ whole: Outcome) {
    switch (fed, whole) {
    case (.failure(let inPieces), .failure(let atOnce)):
      demand(inPieces.isLike(atOnce), "in pieces: \(inPieces), complete: \(atOnce)")
    default:
      demand(fed == whole, "in pieces and complete: \(fed.difference(from: whole))")
    }
  }
}

/// The result of a file that was fed in pieces.
private struct Feeding: Equatable {
  private(set) var previews: [Image] = []
  private(set) var outcome: Outcome

  /// The maximum number of pieces and of previews. They suffice for every state, and for single bytes of
  /// small files.
  private static let mostPieces = 200
  private static let mostPreviews = 12

  /// Feeds `file` in pieces. Its last bytes select the sizes of the pieces.
  init(_ file: [UInt8], options: ImageOptions) {
    var numbers = Numbers(seed: file.suffix(Target.choosingBytes).reduce(0) { $0 << 8 | UInt64($1) })
    let longest = max(2 * file.count / Self.mostPieces, [1, 16, 256, file.count][numbers.below(4)])
    var previews: [Image] = []
    outcome = Outcome { () throws(LoadError) in
      guard let decoding = ImageDecoder.fuzzed.incremental(options: options) else {
        throw LoadError(.unsupported, "the decoder is not incremental")
      }
      var start = 0
      while start < file.count {
        let end = min(start + numbers.below(longest) + 1, file.count)
        let hasMore = try decoding.feed(Array(file[start..<end]))
        start = end
        // Sometimes asks for a preview without new data.
        guard previews.count < Self.mostPreviews, hasMore || numbers.below(8) == 0 else { continue }
        if let preview = try decoding.preview() { previews.append(preview) }
      }
      return try decoding.finish()
    }
    self.previews = previews
  }
}
