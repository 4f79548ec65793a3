internal import Testing

@testable internal import CellophaneCore
internal import TestSupport

@Suite struct ContentDecoderTests {
  /// Decodes `pieces` one after another.
  private func inflate(_ pieces: [ArraySlice<UInt8>], _ coding: ContentDecoder.Coding = .gzip) throws -> (
    bytes: [UInt8], isComplete: Bool, isTaken: Bool
  ) {
    let gunzip = try #require(ContentDecoder(coding))
    var bytes: [UInt8] = []
    for piece in pieces {
      let verdict = gunzip.feed(piece.span) { output in
        for index in output.indices { bytes.append(output[index]) }
        return true
      }
      guard verdict == .consumed else { return (bytes, gunzip.isComplete, false) }
    }
    return (bytes, gunzip.isComplete, true)
  }

  @Test(arguments: [0, 1, 100, 65_535])
  func `gzip decodes in pieces of any size`(size: Int) throws {
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let stream = Gzip.stored(bytes) + Gzip.stored([7])
    for step in [1, 2, 7, 1_000, stream.count] {
      let pieces = stride(from: 0, to: stream.count, by: step).map {
        stream[$0..<min($0 + step, stream.count)]
      }
      let result = try inflate(pieces)
      #expect(result.bytes == bytes + [7])
      #expect(result.isComplete && result.isTaken)
    }
  }

  @Test func `a gzip stream is complete only at the end of a member`() throws {
    let member = Gzip.stored(Array("some bytes".utf8))
    let stream = member + member
    for count in 0...stream.count {
      let result = try inflate([stream.prefix(count)])
      #expect(result.isTaken)
      #expect(result.isComplete == (count % member.count == 0), "\(count) bytes")
    }
  }

  @Test(
    "only zeros may follow the last member",
    arguments: [1, 2, 7, 1_000, 100_000])
  func padding(step: Int) throws {
    let member = Gzip.stored(Array("some bytes".utf8))
    let zeros = [UInt8](repeating: 0, count: 70_000)
    func pieces(_ stream: [UInt8]) -> [ArraySlice<UInt8>] {
      stride(from: 0, to: stream.count, by: step).map { stream[$0..<min($0 + step, stream.count)] }
    }
    let padded = try inflate(pieces(member + member + zeros))
    #expect(padded.isComplete && padded.isTaken && padded.bytes == Array("some bytessome bytes".utf8))
    for stream in [member + zeros + member, member + zeros + [1], member + [1], zeros + member, zeros] {
      let result = try inflate(pieces(stream))
      #expect(!result.isTaken || !result.isComplete)
    }
  }

  @Test(
    "deflate decodes in pieces of any size, with zlib's header or without", arguments: [0, 1, 100, 65_535])
  func deflate(size: Int) throws {
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    for stream in [Gzip.zlib(bytes), Gzip.raw(bytes)] {
      for step in [1, 2, 7, 1_000, stream.count] {
        let pieces = stride(from: 0, to: stream.count, by: step).map {
          stream[$0..<min($0 + step, stream.count)]
        }
        let result = try inflate(pieces, .deflate)
        #expect(result.bytes == bytes && result.isComplete && result.isTaken)
        // Nothing may follow the stream.
        #expect(try !inflate(pieces + [[0]], .deflate).isTaken)
        #expect(try !inflate(pieces + pieces, .deflate).isTaken)
      }
      for count in 1..<min(stream.count, 200) {
        let result = try inflate([stream.prefix(count)], .deflate)
        #expect(result.isTaken && !result.isComplete, "\(count) bytes")
      }
    }
    #expect(try inflate([], .deflate).isComplete)
    #expect(try !inflate([Gzip.stored(bytes)[...]], .deflate).isTaken)
  }

  @Test func `a damaged zlib stream never completes with other bytes`() throws {
    let bytes = Array("some bytes".utf8)
    let stream = Gzip.zlib(bytes)
    for bit in 0..<stream.count * 8 {
      var damaged = stream
      damaged[bit / 8] ^= 1 << (bit % 8)
      let result = try inflate([damaged[...]], .deflate)
      if result.isTaken, result.isComplete { #expect(result.bytes == bytes, "bit \(bit)") }
    }
  }

  /// Flips every bit. The stream is refused, is incomplete, or decodes to the same bytes: some header fields are
  /// unused.
  @Test func `a damaged gzip stream never completes with other bytes`() throws {
    let bytes = Array("some bytes".utf8)
    let stream = Gzip.stored(bytes)
    for bit in 0..<stream.count * 8 {
      var damaged = stream
      damaged[bit / 8] ^= 1 << (bit % 8)
      let result = try inflate([damaged[...]])
      if result.isTaken, result.isComplete { #expect(result.bytes == bytes && bit / 8 <= 10, "bit \(bit)") }
    }
  }

  @Test func `a decompression bomb is delivered in small pieces`() throws {
    let gunzip = try #require(ContentDecoder(.gzip))
    var largest = 0
    var total = 0
    let verdict = gunzip.feed(Gzip.bomb(1 << 30).span) { output in
      largest = max(largest, output.count)
      total += output.count
      return total < 1 << 20
    }
    #expect(verdict == .stopped)
    #expect(largest <= ContentDecoder.largestPiece)
    #expect(total <= 1 << 20 + ContentDecoder.largestPiece)
  }

  @Test func `random bytes neither hang nor complete`() throws {
    for seed in 0..<500 {
      var random = SplitMix64(seed: seed)
      var bytes = Gzip.bomb(1 << 16)
      for _ in 0..<20 {
        bytes[Int.random(in: 10..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
      }
      let result = try inflate([bytes[...]])
      #expect(!(result.isTaken && result.isComplete), "seed \(seed)")
    }
  }
}
