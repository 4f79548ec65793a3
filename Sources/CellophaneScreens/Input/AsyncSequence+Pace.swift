public import Cellophane

extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// The elements after which no other came for `interval`. When the sequence ends, its last element comes at once.
  ///
  /// The iteration starts a task on `timeline` and cancels it when it ends. A slow reader finds the latest element.
  ///
  /// Written anew because the operator of this name in swift-async-algorithms 1.1.4 starts its task on the global pool,
  /// where no injected executor reaches it and virtual time does not know of it.
  public func debounce(
    for interval: Duration, on timeline: Timeline
  ) -> some AsyncSequence<Element, Failure> & Sendable {
    paced(self, by: DebouncePace(interval: interval), on: timeline)
  }

  /// At most one element in each `interval`: the first at once, then the latest at the end of the interval. The last
  /// element of the sequence is never lost.
  ///
  /// The iteration starts a task on `timeline` and cancels it when it ends. A slow reader finds the latest element.
  ///
  /// Written anew because `_throttle` in swift-async-algorithms 1.1.4 keeps the latest element until another comes.
  public func throttle(
    for interval: Duration, on timeline: Timeline
  ) -> some AsyncSequence<Element, Failure> & Sendable {
    paced(self, by: ThrottlePace(interval: interval), on: timeline)
  }
}
