/// The moment when the loop next looks for deadlines that have passed: never later than the earliest one.
final class DeadlineAlarm {
  private(set) var time = never
  private static let never = Duration.seconds(Int64.max)

  func lower(to other: Duration) { time = min(time, other) }

  func clear() { time = Self.never }
}
