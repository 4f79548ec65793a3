/// The progress of a transfer: the bytes of the body, after content decoding.
public struct LoadProgress: Hashable, Sendable {
  /// The number of bytes that are here, including ``resumed``.
  public let received: Int
  /// The number of bytes of the complete body; nil if the origin has not stated it, or only that of compressed bytes.
  public let expected: Int?
  /// The number of bytes that an earlier transfer had received and that this one continues.
  public let resumed: Int

  /// Creates a progress.
  public init(received: Int = 0, expected: Int? = nil, resumed: Int = 0) {
    (self.received, self.expected, self.resumed) = (received, expected, resumed)
  }

  /// The received part, 0...1; nil if ``expected`` is nil.
  public var fraction: Double? {
    expected.map { $0 == 0 ? 1 : min(Double(received) / Double($0), 1) }
  }
}

extension StreamingBody {
  /// The progress of the body; nil before the head of a response with a resource.
  package var progress: LoadProgress? {
    guard let version, let head else { return nil }
    let beginning = resumption.flatMap { $0.version === version ? $0 : nil }
    var expected: Int?
    if let beginning {
      if beginning.coded == nil { expected = beginning.totalLength(with: head) }
    } else if head.headers.contentCodings.isEmpty {
      expected = head.headers["content-length"].flatMap { ContentRange.number($0.utf8) }
    }
    return LoadProgress(received: length, expected: expected, resumed: beginning?.bytes.count ?? 0)
  }
}
