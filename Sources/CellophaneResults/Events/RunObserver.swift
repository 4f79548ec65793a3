package import Cellophane
internal import Synchronization

/// An observer of a run that measures, records or shows it. It is called on the screen's actor, on tasks of
/// the loader and, in real time, on threads of the transport. It must return quickly.
package protocol RunObserver: AnyObject, Sendable {
  /// True to receive the progress of transfers before each frame.
  var needsProgress: Bool { get }

  /// Receives an event with its time since the start of the run.
  func note(_ event: RunEvent, at time: Duration)
}

extension RunObserver {
  /// False by default.
  package var needsProgress: Bool { false }
}

/// The observers of one run.
package final class RunObservers: Sendable {
  package let timeline: Timeline
  /// True if an observer needs the progress of transfers.
  package let needsProgress: Bool
  private let observers: [any RunObserver]
  /// The start of the run, in ns of the timeline.
  private let start = Atomic<Int64>(0)

  /// Creates the observers of a run in the time of `timeline`.
  package init(_ observers: [any RunObserver], timeline: Timeline) {
    self.observers = observers
    self.timeline = timeline
    needsProgress = observers.contains(where: \.needsProgress)
  }

  /// Starts the run.
  package func begin() { start.store(timeline.now.wholeNanoseconds, ordering: .relaxed) }

  /// The time since the start of the run.
  package var now: Duration { timeline.now - .nanoseconds(start.load(ordering: .relaxed)) }

  /// Reports an event to all observers.
  package func note(_ event: RunEvent) {
    let now = now
    for observer in observers { observer.note(event, at: now) }
  }
}
