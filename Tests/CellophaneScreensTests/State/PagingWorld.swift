internal import Cellophane
internal import CellophaneScreens
internal import CellophaneTesting
internal import TestSupport

/// A list whose items are numbers from 0, in pages, each answer in its own time.
final class ScriptedPages: PagingSource, Sendable {
  struct Answer: Sendable {
    enum Outcome: Sendable { case page, failed, gaveUp }

    var milliseconds = 50
    var outcome = Outcome.page
  }

  /// A request, when it began, and how it ended; nil while it runs.
  struct Request: Sendable {
    let page: Int
    let began: Duration
    var ended: (at: Duration, cameBack: Bool)?
  }

  /// How many items each page has.
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

  /// The first items of a list, page by page, as long as it may be.
  func items(ofPages count: Int) -> [Int] { Array(0..<sizes.prefix(count).reduce(0, +)) }

  var pagesAsked: [Int] { requests.value.map(\.page) }
  var running: Int { requests.value.count { $0.ended == nil } }

  func page(at cursor: Int?) async throws -> Page<Int, Int> {
    let page = cursor ?? 0
    let number = requests.value.count
    requests.update { $0.append(Request(page: page, began: timeline.now)) }
    var cameBack = false
    defer { requests.update { $0[number].ended = (timeline.now, cameBack) } }
    let answer = answer(number, page)
    try await timeline.sleep(for: .milliseconds(answer.milliseconds))
    switch answer.outcome {
    case .failed: throw LoadError(.timeout, "no \(number)", isRetryable: true)
    case .gaveUp: throw CancellationError()
    case .page: break
    }
    cameBack = true
    let start = items(ofPages: page).count
    return Page(Array(start..<start + sizes[page]), next: page + 1 < sizes.count ? page + 1 : nil)
  }
}

/// A screen with such a list, on an actor of its own.
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

  /// Lets the model go; true when nothing else keeps it.
  func release() -> Bool {
    weak let trace = model
    model = nil
    return trace == nil
  }
}
