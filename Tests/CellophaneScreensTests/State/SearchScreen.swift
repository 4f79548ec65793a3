internal import Cellophane
internal import CellophaneScreens
internal import TestSupport

/// An action on a search.
enum SearchStep: Sendable {
  case text(String)
  case submit
  case retry
  case cancel
}

/// The answer to one request and its delay, in milliseconds.
struct SearchAnswer: Sendable {
  enum Outcome: Sendable { case found, failed, permanent, gaveUp }

  let milliseconds: Int
  let outcome: Outcome
}

/// A repository that answers each request after a scripted delay.
final class ScriptedRepository: SearchRepository, Sendable {
  let timeline: Timeline
  let requests = Shared<[String]>([])
  let running = Shared(0)
  private let answer: @Sendable (_ request: Int) -> SearchAnswer

  init(_ timeline: Timeline, answer: @escaping @Sendable (_ request: Int) -> SearchAnswer) {
    self.timeline = timeline
    self.answer = answer
  }

  func results(for text: String) async throws -> [String] {
    let number = requests.value.count
    requests.update { $0.append(text) }
    running.update { $0 += 1 }
    defer { running.update { $0 -= 1 } }
    let answer = answer(number)
    try await timeline.sleep(for: .milliseconds(answer.milliseconds))
    switch answer.outcome {
    case .found: return ["\(text) \(number)"]
    case .failed: throw LoadError(.timeout, "no \(number)", isRetryable: true)
    case .permanent: throw LoadError(.refused, "no \(number)")
    case .gaveUp: throw CancellationError()
    }
  }
}

/// A screen with a search, on a separate actor.
actor SearchScreen {
  private var model: SearchModel<[String]>?

  init(_ repository: some SearchRepository<[String]>, debounce: Duration, timeline: Timeline) {
    model = SearchModel(repository, debounce: debounce, timeline: timeline)
    model?.store.startRecording()
  }

  /// The displayed state, as text.
  var drawn: String {
    guard let state = model?.state else { return "released" }
    return Self.text(state)
  }

  static func text(_ state: SearchState<[String]>) -> String {
    let kept = state.results.map { " " + $0.joined(separator: ",") } ?? ""
    return switch state.phase {
    case .idle: "idle"
    case .loading: "loading\(kept)"
    case .results: "results\(kept)"
    case .failed(let failure, _):
      "failed \(failure.message)\(failure.isRetryable ? "" : " permanently")\(kept)"
    }
  }

  var runningEffects: Int { model?.store.runningEffects ?? 0 }

  /// The last state of the replayed recording, and the current state.
  var replayed: (SearchState<[String]>, SearchState<[String]>)? {
    guard let model, let recording = model.store.stopRecording() else { return nil }
    return (model.store.replay(recording).last ?? recording.initial, model.state)
  }

  func take(_ step: SearchStep) {
    switch step {
    case .text(let text): model?.search(for: text)
    case .submit: model?.submit()
    case .retry: model?.retry()
    case .cancel: model?.cancel()
    }
  }

  /// Releases the model. Returns true if it had no other owner.
  func release() -> Bool {
    weak let trace = model
    model = nil
    return trace == nil
  }
}
