internal import CZLib

/// A streaming decoder for one content-coded body: gzip (RFC 1952) with one or more members, or deflate. A
/// deflate body is a zlib stream (RFC 1950) or, as some servers send it, raw deflate (RFC 1951).
///
/// Zeros may follow the last member, because some compressors pad blocks with them; any other trailing byte
/// is an error. gzip, Python and Node accept zeros as well. libcurl rejects everything after the first
/// member, and browsers ignore everything after it. This decoder does not ignore it, because a truncated or
/// damaged member must not pass as trailing garbage.
///
/// libcurl's decoding is not used because it accepts a stream that ends too early as complete.
@safe package final class ContentDecoder {
  /// The supported content codings.
  package enum Coding: String {
    case gzip, deflate

    /// Creates the coding with a lower-case name (RFC 9110, section 8.4.1); nil if it is not supported.
    package init?(named name: String) { self.init(rawValue: name == "x-gzip" ? "gzip" : name) }
  }

  /// The result of decoding one piece.
  package enum Outcome {
    case consumed
    /// The bytes are not in this coding, or a checksum does not match.
    case corrupt
    /// The consumer of the output stopped the decoding.
    case stopped
  }

  /// True if the body may end here: before the first byte, or after a member with a valid checksum.
  package private(set) var isComplete = true
  /// True if nothing may follow the position where the body may end. In gzip another member may follow.
  package var isSelfDelimiting: Bool { coding == .deflate }
  private let coding: Coding
  private var hasStarted = false
  /// True if zeros have followed the last member.
  private var isPadded = false
  /// The zlib state. It stores its own address and must not move.
  private let stream: UnsafeMutablePointer<z_stream>
  private var output = [UInt8](repeating: 0, count: ContentDecoder.largestPiece)

  /// The largest piece of output in bytes. 64 KB: a decompression bomb may exceed the size limit by at most
  /// this.
  static let largestPiece = 64 << 10
  // zlib's largest window. Adding 16 selects gzip; a negative value selects raw deflate without header and
  // checksum.
  private static let window: Int32 = 15

  /// Creates a decoder; nil if no memory is available.
  package init?(_ coding: Coding) {
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    let window = coding == .gzip ? Self.window + 16 : Self.window
    guard unsafe cellophane_inflate_start(stream, window) == Z_OK else {
      unsafe stream.deallocate()
      return nil
    }
    self.coding = coding
    unsafe self.stream = stream
  }

  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Decodes the next bytes of the body and passes the output to `consume`, which returns whether to
  /// continue.
  package func feed(_ input: Span<UInt8>, to consume: (Span<UInt8>) -> Bool) -> Outcome {
    unsafe input.withUnsafeBufferPointer { unsafe inflate($0, consume) }
  }

  private func inflate(_ input: UnsafeBufferPointer<UInt8>, _ consume: (Span<UInt8>) -> Bool) -> Outcome {
    guard let count = UInt32(exactly: input.count) else { return .corrupt }
    // zlib declares its input as mutable but only reads it.
    unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
    unsafe stream.pointee.avail_in = count
    while true {
      if isComplete {
        let rest = unsafe input.suffix(Int(stream.pointee.avail_in))
        guard let first = unsafe rest.first else { return .consumed }
        if first == 0, hasStarted, coding == .gzip { isPadded = true }
        if isPadded { return unsafe rest.allSatisfy { $0 == 0 } ? .consumed : .corrupt }
        guard start(with: first) else { return .corrupt }
      }
      let (result, written) = unsafe output.withUnsafeMutableBufferPointer { output in
        unsafe stream.pointee.next_out = output.baseAddress
        unsafe stream.pointee.avail_out = UInt32(output.count)
        let result = unsafe CZLib.inflate(stream, Z_NO_FLUSH)
        return (result, unsafe output.count - Int(stream.pointee.avail_out))
      }
      if written > 0, !consume(output.span.extracting(..<written)) { return .stopped }
      switch result {
      case Z_STREAM_END: isComplete = true
      // If the output has space left, zlib has consumed all input. It then reports Z_BUF_ERROR if called
      // again.
      case Z_OK: if written < output.count, unsafe stream.pointee.avail_in == 0 { return .consumed }
      case Z_BUF_ERROR: return .consumed
      default: return .corrupt
      }
    }
  }

  /// Starts a stream whose first byte is `first`; false after the end of a stream that must be the only one.
  private func start(with first: UInt8) -> Bool {
    let isFirst = !hasStarted
    (hasStarted, isComplete) = (true, false)
    guard coding == .deflate else { return unsafe inflateReset(stream) == Z_OK }
    guard isFirst else { return false }
    // A zlib stream starts with its method number, 8. Raw deflate with these bits would be a stored block
    // with unusual padding, which no compressor writes.
    return first & 0xF == 8 ? true : unsafe inflateReset2(stream, -Self.window) == Z_OK
  }
}
