#if Publishers
  internal import Cellophane
  internal import CellophanePublishers
  internal import CellophaneScreens
  #if canImport(Combine)
    internal import Combine
  #else
    internal import OpenCombine
  #endif

  // The code of Sources/CellophaneScreens/CellophaneScreens.docc/MovingStepByStep.md that uses publishers.

  /// A repository over a service that returns publishers.
  struct PublishedBooks: PublishingSearchRepository {
    let find: @Sendable (String) -> AnyPublisher<[String], any Error>

    func publisher(for text: String) -> AnyPublisher<[String], any Error> { find(text) }
  }

  /// A publisher of images, for a screen that subscribes to one.
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

  @MainActor final class BookFinderBefore<Main: Scheduler> {
    private let texts = PassthroughSubject<String, Never>()
    private var subscriptions: Set<AnyCancellable> = []
    private(set) var books: [String] = []

    init(_ find: @escaping (String) -> AnyPublisher<[String], any Error>, on main: Main) {
      texts
        .removeDuplicates()
        .debounce(for: .milliseconds(300), scheduler: main)
        .map { find($0).catch { _ in Just([]) } }
        .switchToLatest()
        .receive(on: main)
        .sink { [weak self] in self?.books = $0 }
        .store(in: &subscriptions)
    }

    func textDidChange(_ text: String) { texts.send(text) }
  }

  @MainActor final class BookFinder {
    private let model: SearchModel<[String]>

    init(_ find: @escaping @Sendable (String) -> AnyPublisher<[String], any Error>) {
      model = SearchModel(PublishedBooks(find: find))
    }

    func textDidChange(_ text: String) { model.search(for: text) }
    var books: [String] { model.state.results ?? [] }
    var error: String? { model.state.failure?.message }
  }
#endif
