#if Publishers
  #if canImport(Combine)
    public import Combine
  #else
    public import OpenCombine
  #endif

  extension Publisher where Output: Sendable {
    /// An async sequence of the values, with the error type of the publisher. It requests one value at a time.
    ///
    /// Each iteration subscribes. The subscription is cancelled when the loop ends or its task is cancelled.
    ///
    /// `values` of Combine is similar, without a typed error. `values` of OpenCombine 0.14.0 keeps its subscription when the loop
    /// ends, and stops the process when a publisher sends more than was requested.
    public var elements: PublisherElements<Self> { PublisherElements(publisher: self) }

    /// Requests and returns the first value; nil if the publisher finishes without one, or if the task is
    /// cancelled first.
    public func firstElement() async throws(Failure) -> Output? {
      try await ElementSource(self).next()
    }
  }

  /// An async sequence of the values of a publisher; see `Publisher.elements`.
  public struct PublisherElements<Upstream: Publisher>: AsyncSequence where Upstream.Output: Sendable {
    /// The value type of the publisher.
    public typealias Element = Upstream.Output
    /// The error type of the publisher.
    public typealias Failure = Upstream.Failure

    let publisher: Upstream

    /// Subscribes to the publisher and returns an iterator of its values.
    public func makeAsyncIterator() -> Iterator { Iterator(source: ElementSource(publisher)) }

    /// An iterator that requests one value at a time.
    public struct Iterator: AsyncIteratorProtocol {
      let source: ElementSource<Element, Failure>

      /// Returns the next value; nil at the end or when the task is cancelled.
      public mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Element? {
        try await source.next(isolation: actor)
      }

      /// Returns the next value; nil at the end or when the task is cancelled.
      public mutating func next() async throws(Failure) -> Element? {
        try await source.next(isolation: #isolation)
      }
    }
  }

  extension PublisherElements: Sendable where Upstream: Sendable {}
#endif
