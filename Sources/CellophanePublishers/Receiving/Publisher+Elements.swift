#if Publishers
  #if canImport(Combine)
    public import Combine
  #else
    public import OpenCombine
  #endif

  extension Publisher where Output: Sendable {
    /// The values as an async sequence, with the publisher's own error. It asks for one at a time, when the reader does.
    ///
    /// Each iteration subscribes. The subscription is cancelled when the loop is left or its task cancelled.
    ///
    /// Like `values` of Combine, but that has no typed error. The one of OpenCombine 0.14.0 keeps its subscription when the loop
    /// is left, and stops the process when a publisher sends more than was asked for.
    public var elements: PublisherElements<Self> { PublisherElements(publisher: self) }

    /// The first value, of which alone one is asked for; nil when there is none, or the task is cancelled before.
    public func firstElement() async throws(Failure) -> Output? {
      try await ElementSource(self).next()
    }
  }

  /// The values of a publisher as an async sequence; see `Publisher.elements`.
  public struct PublisherElements<Upstream: Publisher>: AsyncSequence where Upstream.Output: Sendable {
    /// A value.
    public typealias Element = Upstream.Output
    /// How the publisher fails.
    public typealias Failure = Upstream.Failure

    let publisher: Upstream

    /// Subscribes.
    public func makeAsyncIterator() -> Iterator { Iterator(source: ElementSource(publisher)) }

    /// Asks for one value after the other.
    public struct Iterator: AsyncIteratorProtocol {
      let source: ElementSource<Element, Failure>

      /// The next value; nil once there is no more, or when the task is cancelled.
      public mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Element? {
        try await source.next(isolation: actor)
      }

      /// The next value; nil once there is no more, or when the task is cancelled.
      public mutating func next() async throws(Failure) -> Element? {
        try await source.next(isolation: #isolation)
      }
    }
  }

  extension PublisherElements: Sendable where Upstream: Sendable {}
#endif
