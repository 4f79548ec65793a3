public import Cellophane

/// A scroll that somebody recorded: where a list was, at which time. Between two samples it moved evenly, after the
/// last it rests.
public struct ScrollLog: Sendable, Hashable {
  private struct Sample: Hashable {
    /// In ns from the first sample.
    let time: Int64
    /// In px, on 1/64 px.
    let offset: Double
  }

  /// The name of the file that it comes from.
  public let name: String
  private let samples: [Sample]

  /// The log in the file of this name, which is not read yet, and cannot be played.
  public init(name: String) {
    self.name = name
    samples = []
  }

  /// The most samples of a log: more than two hours at 120 a second, 16 MB.
  public static let mostSamples = 1_000_000
  /// The longest log: a day.
  public static let longest = Duration.seconds(86_400)
  /// The offsets of a log, in px; those beyond a list's ends, as in a bounce, count as the ends. More than the longest
  /// list has, and far from where steps of 1/64 px are lost.
  public static let offsets = -1e12...1e12
  /// The times of a log, in ms: the present one since 1970 among them.
  public static let times = -1e15...1e15

  /// Reads `csv`: a line for each sample, its time in ms and its offset in px behind a comma, in the order of time;
  /// the first line may be the heading `t_ms,offset_px`. Of two samples at the same time the later counts.
  ///
  /// - Parameter name: What it is called, as in `log:NAME`.
  /// - Throws: ``LoadError/Kind/invalidRequest`` with the number of the first line that is none of this, or when
  ///   there is no sample, or more than ``mostSamples``.
  /// - Complexity: O(bytes).
  public init(name: String, csv: [UInt8]) throws(LoadError) {
    try self.init(name: name, csv: csv, atMost: Self.mostSamples)
  }

  /// The same for at most `count` samples.
  init(name: String, csv: [UInt8], atMost count: Int) throws(LoadError) {
    self.name = name
    var samples: [Sample] = []
    var number = 0
    var start: Double?
    for line in csv.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      number += 1
      let text = String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
      if text.isEmpty || (number == 1 && text == Self.heading) { continue }
      func refused(_ reason: String) -> LoadError {
        LoadError(.invalidRequest, "\(name), line \(number): \(reason)")
      }
      let fields = text.split(separator: ",", omittingEmptySubsequences: false)
      guard fields.count == 2, let time = Double(fields[0]), let offset = Double(fields[1]),
        Self.times.contains(time), Self.offsets.contains(offset)
      else { throw refused("is not a time in ms and an offset in px, such as 16.7,120") }
      let sinceStart = time - (start ?? time)
      start = start ?? time
      guard sinceStart * 1e6 <= Double(Self.longest.wholeNanoseconds) else {
        throw refused("is more than a day after the first")
      }
      let nanoseconds = Int64((sinceStart * 1e6).rounded())
      guard nanoseconds >= samples.last?.time ?? 0 else { throw refused("is earlier than the one before") }
      if samples.last?.time == nanoseconds { samples.removeLast() }
      guard samples.count < count else { throw refused("is one more than \(count) samples") }
      samples.append(Sample(time: nanoseconds, offset: (offset * 64).rounded() / 64))
    }
    guard !samples.isEmpty else { throw LoadError(.invalidRequest, "\(name) has no samples") }
    self.samples = samples
  }

  /// The heading that a file may have.
  public static let heading = "t_ms,offset_px"

  /// False until the file is read.
  public var isRead: Bool { !samples.isEmpty }

  /// When the last sample is.
  public var duration: Duration { .nanoseconds(samples.last?.time ?? 0) }

  /// Where the list is at `time`, in px. O(log of the number of samples).
  func offset(at time: Duration) -> Double {
    guard let (from, to) = samples(around: time) else { return samples.last?.offset ?? 0 }
    let share = Double(max(0, time.wholeNanoseconds) - from.time) / Double(to.time - from.time)
    return from.offset + (to.offset - from.offset) * share
  }

  /// How fast a list that can scroll by `limit` px moves at `time`, in px/s, positive downwards. O(log of the number
  /// of samples).
  func velocity(at time: Duration, limit: Double) -> Double {
    guard let (from, to) = samples(around: time) else { return 0 }
    let moved = min(max(to.offset, 0), limit) - min(max(from.offset, 0), limit)
    return moved * 1e9 / Double(to.time - from.time)
  }

  /// The last sample at or before `time` and the one after it; nil from the last sample on.
  private func samples(around time: Duration) -> (Sample, Sample)? {
    let nanoseconds = max(0, time.wholeNanoseconds)
    let next = samples.countOfFirst { $0.time <= nanoseconds }
    return (1..<samples.count).contains(next) ? (samples[next - 1], samples[next]) : nil
  }
}
