import CFuzzing

/// Applies libFuzzer's mutations to PNG files behind their checksums and compression, which would otherwise
/// reject almost every mutation.
///
/// libFuzzer finds this function by its name and calls it.
@c(LLVMFuzzerCustomMutator)
public func mutate(
  _ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ capacity: Int, _ seed: CUnsignedInt
) -> Int {
  var mutator = Mutator(seed: UInt64(seed), capacity: capacity)
  let mutated = mutator.mutated(Array(UnsafeBufferPointer(start: data, count: size)))
  let count = min(mutated.count, capacity)
  _ = UnsafeMutableBufferPointer(start: data, count: count).update(fromContentsOf: mutated.prefix(count))
  return count
}

private struct Mutator {
  private var numbers: Numbers
  private let capacity: Int
  /// The limit for inflated pixels. Seeds are far smaller, and a decompression bomb would only cost time.
  private static let mostInflated = 256 << 10

  init(seed: UInt64, capacity: Int) {
    // The seed comes from libFuzzer, so that its own seed repeats a run.
    numbers = Numbers(seed: seed)
    self.capacity = capacity
  }

  mutating func mutated(_ input: [UInt8]) -> [UInt8] {
    if Target.chosen.readsChoices, chance(4) { return choosing(input) }
    guard var png = PNGFile(input), !png.chunks.isEmpty else { return changed(input) }
    let index = numbers.below(png.chunks.count)
    switch numbers.below(8) {
    case 0:
      return changed(input)
    case 1:
      return PNGFile(changed(input))?.bytes ?? input
    case 2:
      png.chunks.insert(png.chunks[index], at: numbers.below(png.chunks.count + 1))
    case 3:
      let moved = png.chunks.remove(at: index)
      if chance(2) { png.chunks.insert(moved, at: numbers.below(png.chunks.count + 1)) }
    case 4:
      split(&png.chunks, at: index)
    case 5, 6:
      png.chunks[index].content = changed(png.chunks[index].content)
    default:
      png.deflated = recompressed(png.deflated)
    }
    return png.bytes
  }

  /// Returns the input with other bytes after the image. These bytes select the options.
  private mutating func choosing(_ input: [UInt8]) -> [UInt8] {
    let count = Target.choosingBytes
    let kept = chance(2) ? input : input.dropLast(count)
    return kept + (0..<count).map { _ in UInt8(numbers.below(256)) }
  }

  /// Returns the compressed data with mutated pixels. The mutation applies to filtered rows.
  private mutating func recompressed(_ deflated: [UInt8]) -> [UInt8] {
    let raw = [UInt8](unsafeUninitializedCapacity: Self.mostInflated) { buffer, count in
      count = fuzzing_inflate(deflated, deflated.count, buffer.baseAddress, buffer.count)
    }
    let changed = changed(raw)
    let level = CInt(numbers.below(10))
    return [UInt8](unsafeUninitializedCapacity: changed.count + 1024) { buffer, count in
      count = fuzzing_deflate(changed, changed.count, buffer.baseAddress, buffer.count, level)
    }
  }

  private mutating func split(_ chunks: inout [PNGFile.Chunk], at index: Int) {
    let content = chunks[index].content
    let place = numbers.below(content.count + 1)
    chunks[index].content = Array(content.prefix(place))
    chunks.insert(.init(type: chunks[index].type, content: Array(content.dropFirst(place))), at: index + 1)
  }

  private func changed(_ bytes: [UInt8]) -> [UInt8] {
    let room = max(capacity, bytes.count, 1)
    return [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
      _ = buffer.update(fromContentsOf: bytes)
      count = LLVMFuzzerMutate(buffer.baseAddress, bytes.count, room)
    }
  }

  private mutating func chance(_ times: Int) -> Bool { numbers.below(times) == 0 }
}
