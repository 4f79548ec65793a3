#if Publishers
  internal import Cellophane
  internal import CellophanePublishers
  internal import CellophaneScreens
  #if canImport(Combine)
    internal import Combine
  #else
    internal import OpenCombine
  #endif

  // What Sources/CellophaneScreens/CellophaneScreens.docc/MovingStepByStep.md shows of publishers.

  /// As long as the network speaks in publishers: that is all there is to write.
  struct PublishedBooks: PublishingSearchRepository {
    let find: @Sendable (String) -> AnyPublisher<[String], any Error>

    func publisher(for text: String) -> AnyPublisher<[String], any Error> { find(text) }
  }

  /// As long as a screen wants a publisher.
  func covers(
    _ requests: AnyPublisher<ImageRequest, LoadError>, from images: ImageLoader, on timeline: Timeline
  )
    -> AnyPublisher<Image, LoadError>
  {
    requests
      .asyncMapLatest(on: timeline) { request async throws(LoadError) in try await images.load(request).value
      }
      .eraseToAnyPublisher()
  }
#endif
