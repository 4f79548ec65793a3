public import Cellophane

extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// Returns a sequence of the elements that no other element follows within `interval`. At the end of the
  /// sequence, the last element is delivered at once.
  ///
  /// The iteration starts a task on `timeline` and cancels it at its end. A slow reader gets the latest
  /// element.
  ///
  /// swift-async-algorithms 1.1.4 has an operator of this name, but it starts its task on the global pool. An
  /// injected executor does not reach that task, and virtual time does not see it.
  public func debounce(
    for interval: Duration, on timeline: Timeline
  ) -> some AsyncSequence<Element, Failure> & Sendable {
    paced(self, by: DebouncePace(interval: interval), on: timeline)
  }

  /// Returns a sequence of at most one element in each `interval`: the first at once, then the latest one at
  /// the end of the interval. The last element of the sequence is always delivered.
  ///
  /// The iteration starts a task on `timeline` and cancels it at its end. A slow reader gets the latest
  /// element.
  ///
  /// `_throttle` in swift-async-algorithms 1.1.4 keeps the latest element until another one arrives.
  public func throttle(
    for interval: Duration, on timeline: Timeline
  ) -> some AsyncSequence<Element, Failure> & Sendable {
    paced(self, by: ThrottlePace(interval: interval), on: timeline)
  }
}
