/// A value of a custom ``NetworkProfile``.
enum NetworkQuantity: String {
  case down, up, rtt, loss, queue, wake, sleep

  /// The value of a queue that CoDel manages.
  static let codel = 0.0

  /// The accepted values. Rates: from a modem of 1962 to ten times the fastest home network. Round trips and delays: up to a
  /// minute, longer than any timeout. Loss: up to half of the segments, where no transfer makes progress. Queues: as long as a
  /// round trip. Idle times: up to a day, which is also the longest run.
  private var range: ClosedRange<Double> {
    switch self {
    case .down, .up: 1...100_000_000
    case .rtt, .wake: 0...60_000
    case .loss: 0...0.5
    case .queue: 1...60_000
    case .sleep: 1...86_400_000
    }
  }

  /// The accepted values in words.
  var meaning: String {
    switch self {
    case .down, .up: "a number of kbit/s from 1 to 100000000 without a unit, such as \(rawValue)=5000"
    case .rtt: "a number of milliseconds from 0 to 60000 without a unit, such as rtt=80"
    case .loss: "a share of segments from 0 to 0.5, or 0% to 50%"
    case .queue: "a number of milliseconds from 1 to 60000 without a unit, such as queue=200, or codel"
    case .wake: "a number of milliseconds from 0 to 60000 without a unit, such as wake=260"
    case .sleep: "a number of milliseconds from 1 to 86400000 without a unit, such as sleep=10000"
    }
  }

  /// Returns the number in `text`, or nil when it is not accepted.
  func value(of text: Substring) -> Double? {
    if self == .queue, text == "codel" { return Self.codel }
    let isPercent = self == .loss && text.hasSuffix("%")
    guard let number = Double(isPercent ? text.dropLast() : text) else { return nil }
    let value = isPercent ? number / 100 : number
    return range.contains(value) ? value : nil
  }
}
