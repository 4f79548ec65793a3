internal import Cellophane
internal import CellophaneScreens
internal import Dispatch
internal import TestSupport

// The code of Sources/CellophaneScreens/CellophaneScreens.docc/MovingStepByStep.md.

struct Call: Sendable {
  let cancel: @Sendable () -> Void
}

protocol BookService: Sendable {
  func books(for text: String, completion: @escaping @Sendable ([String]?, (any Error)?) -> Void) -> Call
}

struct BookRepository<Service: BookService>: SearchRepository {
  let service: Service

  func results(for text: String) async throws -> [String] {
    try await withCompletionHandler { completion in
      let call = service.books(for: text) { books, error in completion(books, error) }
      return { call.cancel() }
    }
  }
}

/// For callers with completion handlers.
func picture(
  _ request: ImageRequest, from images: ImageLoader,
  completion: @escaping @MainActor @Sendable (Result<Image, LoadError>) -> Void
) -> CompletionTask {
  CompletionTask(cancelled: LoadError.cancelled) { () async throws(LoadError) in
    try await images.load(request).value
  } completion: { @MainActor result in
    completion(result)
  }
}

@MainActor final class FieldBefore {
  private var waiting: DispatchWorkItem?
  var search: (String) -> Void = { _ in }

  func textDidChange(_ text: String) {
    waiting?.cancel()
    let item = DispatchWorkItem { [weak self] in
      MainActor.assumeIsolated { self?.search(text) }
    }
    waiting = item
    DispatchQueue.main.asyncAfter(deadline: .now() + 0.3, execute: item)
  }
}

@MainActor final class Field {
  private let debouncer = Debouncer(for: .milliseconds(300))
  var search: (String) -> Void = { _ in }

  func textDidChange(_ text: String) {
    debouncer.schedule { [weak self] in self?.search(text) }
  }
}

@MainActor final class ResultsBefore<Service: BookService> {
  private let service: Service
  private var call: Call?
  private var number = 0
  private(set) var books: [String] = []
  private(set) var isLoading = false
  private(set) var error: String?

  init(_ service: Service) { self.service = service }

  func search(_ text: String) {
    call?.cancel()
    number += 1
    isLoading = true
    error = nil
    call = service.books(for: text) { [number] books, error in
      DispatchQueue.main.async { [weak self] in
        guard let self, self.number == number else { return }
        isLoading = false
        self.error = error.map { "\($0)" }
        self.books = books ?? []
      }
    }
  }
}

@MainActor final class Results<Service: BookService> {
  private let model: SearchModel<[String]>

  init(_ service: Service) { model = SearchModel(BookRepository(service: service)) }

  /// The model debounces, so the field only calls this function.
  func search(_ text: String) { model.search(for: text) }

  var books: [String] { model.state.results ?? [] }
  var isLoading: Bool { model.state.isLoading }
  var error: String? { model.state.failure?.message }
}
