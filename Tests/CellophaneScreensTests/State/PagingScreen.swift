internal import Cellophane
internal import CellophaneScreens
internal import CellophaneTesting
internal import TestSupport

/// A source of consecutive numbers from 0, in pages. `answer` sets the delay and the outcome of each request.
final class ScriptedPages: PagingSource, Sendable {
  struct Answer: Sendable {
    enum Outcome: Sendable { case page, failed, gaveUp }

    var milliseconds = 50
    var outcome = Outcome.page
  }

  /// A request with its start and its end; `ended` is nil while it runs.
  struct Request: Sendable {
    let page: Int
    let began: Duration
    var ended: (at: Duration, hasArrived: Bool)?
  }

  /// The number of items of each page.
  let sizes: [Int]
  let requests = Shared<[Request]>([])
  private let timeline: Timeline
  private let answer: @Sendable (_ request: Int, _ page: Int) -> Answer

  init(
    _ timeline: Timeline, sizes: [Int],
    answer: @escaping @Sendable (_ request: Int, _ page: Int) -> Answer = { _, _ in Answer() }
  ) {
    self.timeline = timeline
    self.sizes = sizes
    self.answer = answer
  }

  /// Returns the items of the first `count` pages.
  func items(ofPages count: Int) -> [Int] { Array(0..<sizes.prefix(count).reduce(0, +)) }

  var requestedPages: [Int] { requests.value.map(\.page) }
  var running: Int { requests.value.count { $0.ended == nil } }

  func page(at cursor: Int?) async throws -> Page<Int, Int> {
    let page = cursor ?? 0
    let number = requests.value.count
    requests.update { $0.append(Request(page: page, began: timeline.now)) }
    var hasArrived = false
    defer { requests.update { $0[number].ended = (timeline.now, hasArrived) } }
    let answer = answer(number, page)
    try await timeline.sleep(for: .milliseconds(answer.milliseconds))
    switch answer.outcome {
    case .failed: throw LoadError(.timeout, "no \(number)", isRetryable: true)
    case .gaveUp: throw CancellationError()
    case .page: break
    }
    hasArrived = true
    let start = items(ofPages: page).count
    return Page(Array(start..<start + sizes[page]), next: page + 1 < sizes.count ? page + 1 : nil)
  }
}

/// A screen with a list of pages, on a separate actor.
actor PagingScreen {
  enum Step: Sendable {
    case reach(Int)
    case retry
    case refresh
    case cancelRefresh
  }

  private var model: PagingModel<Int, Int>?

  init(_ source: ScriptedPages, distance: Int, interval: Duration, timeline: Timeline) {
    model = PagingModel(source, distance: distance, interval: interval, timeline: timeline)
    model?.store.startRecording()
  }

  var state: PagingState<Int, Int>? { model?.state }
  var runningEffects: Int { model?.store.runningEffects ?? 0 }
  func replayed() -> PagingState<Int, Int>? {
    guard let store = model?.store, let recording = store.stopRecording() else { return nil }
    return store.replay(recording).last
  }

  func take(_ step: Step) {
    switch step {
    case .reach(let row): model?.loadIfNeeded(upTo: row)
    case .retry: model?.retry()
    case .refresh: model?.refresh()
    case .cancelRefresh: model?.cancelRefresh()
    }
  }

  /// Releases the model. Returns true if it had no other owner.
  func release() -> Bool {
    weak let trace = model
    model = nil
    return trace == nil
  }
}
