internal import CellophaneImages

/// Decodes `bytes` in pieces that end at `cuts`, in ascending order. Calls `preview` after each piece.
func fed(
  _ bytes: [UInt8], cutAt cuts: [Int], options: ImageOptions = ImageOptions(),
  decoder: ImageDecoder = ImageDecoder(),
  preview: ((_ fed: Int, _ hasMore: Bool, _ image: Image?) -> Void)? = nil
) throws -> Image {
  guard let decoding = decoder.incremental(options: options) else {
    throw LoadError(.unsupported, "the decoder needs all bytes at once")
  }
  var start = 0
  for end in cuts + [bytes.count] {
    let hasMore = try decoding.feed(Array(bytes[start..<end]))
    if let preview { preview(end, hasMore, try decoding.preview()) }
    start = end
  }
  return try decoding.finish()
}

/// Returns `count` random positions in `bytes` in ascending order.
func randomCuts(_ bytes: [UInt8], count: Int, seed: UInt64) -> [Int] {
  var numbers = SplitMix64(seed: seed)
  return (0..<count).map { _ in Int.random(in: 0...bytes.count, using: &numbers) }.sorted()
}

/// Returns the number of leading rows of `image` up to the last one that is not transparent black.
func visibleRows(_ image: Image) -> Int {
  let stride = image.width * 4
  var last = image.pixels.count - 1
  while last >= 0, image.pixels[last] == 0 { last -= 1 }
  return (last + stride) / stride
}
