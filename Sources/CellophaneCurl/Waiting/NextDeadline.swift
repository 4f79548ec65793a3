/// The time at which the loop checks deadlines next: at or before the earliest deadline.
final class NextDeadline {
  private(set) var time = never
  private static let never = Duration.seconds(Int64.max)

  func lower(to other: Duration) { time = min(time, other) }

  func clear() { time = Self.never }
}
