/// The cache requests of the slots of a run, for other cache simulators: libCacheSim, Caffeine's simulator,
/// webcachesim.
///
/// A slot makes a request when it is bound to a row. The requests of the prefetcher are not included, because
/// they depend on the prefetch policy. The key of an image is the first row that shows it; its size is its
/// memory cost.
package struct RequestTrace: Sendable, Hashable {
  /// One request.
  package struct Request: Sendable, Hashable {
    /// The time, in µs from the start of the run.
    package let time: Int64
    /// The key: the first row with the same image.
    package let key: Int
    /// The memory cost of the image, in bytes.
    package let size: Int
    /// The row that the image is for.
    package let row: Int
    /// The row in the middle of the screen.
    package let position: Int
  }

  /// The requests in the order of time.
  package internal(set) var requests: [Request] = []
}
