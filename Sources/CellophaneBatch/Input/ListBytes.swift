internal import Cellophane
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The bytes of a list in a file or pipe.
///
/// A list that is compressed with gzip or Zstandard is decompressed as it is read.
final class ListBytes: Sendable {
  private enum Coding {
    /// The coding is not known before the first bytes.
    case unknown
    case none
    case gzip(ContentDecoder)
    case zstd(ZstdDecoder)
  }

  private struct State {
    var coding = Coding.unknown
    /// The compressed bytes that are not decoded yet.
    var input: ArraySlice<UInt8> = []
  }

  // 64 KB: the capacity of a pipe, and some hundred lines of a file.
  private static let chunk = 64 << 10
  /// The compressed bytes that are decoded at once. 256: they hold at most 8 MB, in Zstandard.
  private static let piece = 256

  private static let gzip: [UInt8] = [0x1F, 0x8B]
  private static let zstd: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD]
  /// The bytes after the first one of a frame to skip (RFC 8878, section 3.1.2), as pzstd writes it first.
  private static let skippable: [UInt8] = [0x2A, 0x4D, 0x18]

  private let descriptor: Int32
  private let state = Mutex(State())

  init(of descriptor: Int32) { self.descriptor = descriptor }

  /// The number of bytes; nil for a pipe and for a compressed list.
  var length: Int? {
    let start = Platform.read(descriptor, atMost: Self.zstd.count, at: 0) ?? []
    if start.starts(with: Self.gzip) || Self.isZstd(start) { return nil }
    return Platform.size(ofFile: descriptor)
  }

  /// Blocks until there are more bytes and returns them; an empty array at the end.
  ///
  /// - Throws: ``LoadError/Kind/io`` if the list cannot be read or decompressed.
  func read() throws(LoadError) -> [UInt8] {
    try state.withLock { state throws(LoadError) in
      if case .unknown = state.coding { try start(&state) }
      if case .none = state.coding {
        if state.input.isEmpty { return try next() }
        defer { state.input = [] }
        return Array(state.input)
      }
      while true {
        if state.input.isEmpty { state.input = try next()[...] }
        guard !state.input.isEmpty else {
          guard isComplete(state.coding) else {
            throw LoadError(.io, "its compressed data ends early; the file is incomplete")
          }
          return []
        }
        var output: [UInt8] = []
        while output.count < Self.chunk, !state.input.isEmpty {
          guard decode(Array(state.input.prefix(Self.piece)), state.coding, to: &output) else {
            throw LoadError(.io, Self.defect(of: state.coding))
          }
          state.input = state.input.dropFirst(Self.piece)
        }
        if !output.isEmpty { return output }
      }
    }
  }

  /// Reads until the coding is known.
  private func start(_ state: inout State) throws(LoadError) {
    while true {
      let bytes = try next()
      state.input += bytes
      if state.input.starts(with: Self.gzip) {
        guard let decoder = ContentDecoder(.gzip) else { throw LoadError(.io, Platform.reason(ENOMEM)) }
        state.coding = .gzip(decoder)
        return
      }
      if Self.isZstd(state.input) {
        guard let decoder = ZstdDecoder() else { throw LoadError(.io, Platform.reason(ENOMEM)) }
        state.coding = .zstd(decoder)
        return
      }
      if bytes.isEmpty || state.input.count >= Self.zstd.count {
        state.coding = .none
        return
      }
    }
  }

  private static func isZstd(_ start: some Collection<UInt8>) -> Bool {
    start.starts(with: zstd)
      || (start.first ?? 0) & 0xF0 == 0x50 && start.dropFirst().starts(with: skippable)
  }

  private func next() throws(LoadError) -> [UInt8] {
    guard let bytes = Platform.read(descriptor, atMost: Self.chunk) else {
      throw LoadError(.io, Platform.reason(errno))
    }
    return bytes
  }

  private static func defect(of coding: Coding) -> String {
    if case .zstd(let decoder) = coding, decoder.needsMemory {
      return "its decompression needs more than 128 MB; decompress it with zstd -d --long=31 LIST"
    }
    return "its compressed data is damaged, or something else follows it"
  }

  private func isComplete(_ coding: Coding) -> Bool {
    switch coding {
    case .gzip(let decoder): decoder.isComplete
    case .zstd(let decoder): decoder.isComplete
    case .none, .unknown: true
    }
  }

  /// Appends the decompressed bytes to `output`. Returns false if they are damaged.
  private func decode(_ bytes: [UInt8], _ coding: Coding, to output: inout [UInt8]) -> Bool {
    switch coding {
    case .gzip(let decoder):
      let outcome = decoder.feed(bytes.span) { part in
        unsafe part.withUnsafeBufferPointer { unsafe output.append(contentsOf: $0) }
        return true
      }
      return if case .consumed = outcome { true } else { false }
    case .zstd(let decoder): return decoder.feed(bytes, to: &output)
    case .none, .unknown: return false
    }
  }
}
