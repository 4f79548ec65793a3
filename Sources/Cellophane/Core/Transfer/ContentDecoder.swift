internal import CZLib

/// Inflates one coded body while it arrives: gzip (RFC 1952), one member or several behind one another, or deflate,
/// which is a zlib stream (RFC 1950) or, as some servers understand the word, what is in one (RFC 1951).
///
/// Behind the last member may stand zeros, with which some fill up blocks, and nothing else. gzip, Python and Node take
/// zeros as well; libcurl refuses everything that follows the first member, browsers look at nothing behind it. A
/// member that is cut off or damaged must not pass for garbage.
///
/// libcurl could do it, but takes a stream that ends too early for a whole one.
@safe final class ContentDecoder {
  /// What a body may be coded with.
  enum Coding: String {
    case gzip, deflate

    /// The coding that `name`, in lower case, stands for (RFC 9110, section 8.4.1); nil for one that is not taken.
    init?(named name: String) { self.init(rawValue: name == "x-gzip" ? "gzip" : name) }
  }

  /// What a piece came to.
  enum Verdict {
    case taken
    /// The bytes are not in that coding, or not the ones that were compressed.
    case corrupt
    /// Whoever took the output wants no more.
    case stopped
  }

  /// True where the body may end: nothing has come, or the last member's checksum was right.
  private(set) var isComplete = true
  /// True when nothing may follow where the body may end. In gzip another member may.
  var tellsItsEnd: Bool { coding == .deflate }
  private let coding: Coding
  private var hasBegun = false
  /// Zeros have followed the last member.
  private var isPadded = false
  /// Where zlib keeps its place; it remembers the address.
  private let stream: UnsafeMutablePointer<z_stream>
  private var output = [UInt8](repeating: 0, count: ContentDecoder.largestPiece)

  /// The most bytes handed on at once. 64 KB: what a bomb may add before its size is judged.
  static let largestPiece = 64 << 10
  // zlib's largest window; 16 more stand for gzip, the negative for a stream without header and checksum.
  private static let window: Int32 = 15

  /// Nil when there is no memory.
  init?(_ coding: Coding) {
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

  /// Takes the next bytes of the body and hands on what is in them; `take` says whether it wants more.
  func feed(_ input: Span<UInt8>, to take: (Span<UInt8>) -> Bool) -> Verdict {
    unsafe input.withUnsafeBufferPointer { unsafe inflate($0, take) }
  }

  private func inflate(_ input: UnsafeBufferPointer<UInt8>, _ take: (Span<UInt8>) -> Bool) -> Verdict {
    guard let count = UInt32(exactly: input.count) else { return .corrupt }
    // zlib declares its input as writable and only reads it.
    unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
    unsafe stream.pointee.avail_in = count
    while true {
      if isComplete {
        let rest = unsafe input.suffix(Int(stream.pointee.avail_in))
        guard let first = unsafe rest.first else { return .taken }
        if first == 0, hasBegun, coding == .gzip { isPadded = true }
        if isPadded { return unsafe rest.allSatisfy { $0 == 0 } ? .taken : .corrupt }
        guard begin(with: first) else { return .corrupt }
      }
      let (result, written) = unsafe output.withUnsafeMutableBufferPointer { output in
        unsafe stream.pointee.next_out = output.baseAddress
        unsafe stream.pointee.avail_out = UInt32(output.count)
        let result = unsafe CZLib.inflate(stream, Z_NO_FLUSH)
        return (result, unsafe output.count - Int(stream.pointee.avail_out))
      }
      if written > 0, !take(output.span.extracting(..<written)) { return .stopped }
      switch result {
      case Z_STREAM_END: isComplete = true
      // With room left in the output, zlib has taken all there was; it says so by Z_BUF_ERROR when asked again.
      case Z_OK: if written < output.count, unsafe stream.pointee.avail_in == 0 { return .taken }
      case Z_BUF_ERROR: return .taken
      default: return .corrupt
      }
    }
  }

  /// Begins a stream, of which `first` is the first byte; false behind the end of one that is the only one.
  private func begin(with first: UInt8) -> Bool {
    let isFirst = !hasBegun
    (hasBegun, isComplete) = (true, false)
    guard coding == .deflate else { return unsafe inflateReset(stream) == Z_OK }
    guard isFirst else { return false }
    // A zlib stream begins with the number of its method, 8. Without that header it would be a stored block with
    // an odd filling, which no compressor writes.
    return first & 0xF == 8 ? true : unsafe inflateReset2(stream, -Self.window) == Z_OK
  }
}
