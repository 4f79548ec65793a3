internal import Cellophane
internal import Synchronization

/// Listens to a run while it happens: what measures it, and what records or shows it. Called on the screen's actor,
/// on tasks of the loader and, in real time, on threads of the transport; it should be brief.
protocol RunObserver: AnyObject, Sendable {
  /// True to be told before every frame how far the running transfers are.
  var wantsProgress: Bool { get }

  /// Notes what happened at `time`, counted from the start of the run.
  func note(_ event: RunEvent, at time: Duration)
}

extension RunObserver {
  /// Only beginnings and ends.
  var wantsProgress: Bool { false }
}

/// Those who listen to one run.
final class RunObservers: Sendable {
  let timeline: Timeline
  /// True when one of them wants to know how far transfers are.
  let wantProgress: Bool
  private let observers: [any RunObserver]
  /// When the run started, in ns of the timeline.
  private let start = Atomic<Int64>(0)

  /// `observers` of a run in the time of `timeline`.
  init(_ observers: [any RunObserver], timeline: Timeline) {
    self.observers = observers
    self.timeline = timeline
    wantProgress = observers.contains(where: \.wantsProgress)
  }

  /// The run starts now.
  func begin() { start.store(timeline.now.wholeNanoseconds, ordering: .relaxed) }

  /// The time since the start of the run.
  var now: Duration { timeline.now - .nanoseconds(start.load(ordering: .relaxed)) }

  /// Tells everybody what happened now.
  func note(_ event: RunEvent) {
    let now = now
    for observer in observers { observer.note(event, at: now) }
  }
}
