public import Cellophane

/// A recorded scroll: the offset of a list at a number of times. The list moves evenly between two samples,
/// and rests after the last one.
public struct ScrollLog: Sendable, Hashable {
  private struct Sample: Hashable {
    /// The time since the first sample, in ns.
    let time: Int64
    /// The offset, in px, rounded to 1/64 px.
    let offset: Double
  }

  /// The name of the file.
  package let name: String
  /// The screen of the recording.
  package let screen: RecordedScreen
  private let samples: [Sample]

  /// Creates a log whose file is not read yet. It cannot be played.
  package init(name: String) {
    self.name = name
    screen = RecordedScreen()
    samples = []
  }

  /// The maximum number of samples of a log: more than two hours at 120 samples per second, 16 MB.
  package static let maxSamples = 1_000_000
  /// The maximum duration of a log: a day.
  package static let longest = Duration.seconds(86_400)
  /// The accepted offsets, in px. Larger than the longest list, and small enough for steps of 1/64 px. An
  /// offset beyond an end of the list, as in a bounce, counts as the end.
  package static let offsets = -1e12...1e12
  /// The accepted times, in ms. They include the current time as a Unix time.
  package static let times = -1e15...1e15

  /// Reads `csv`, which has one line per sample in the order of time: the time in ms, a comma, and the offset
  /// in px. Before the samples there may be lines that begin with `#` (`RecordedScreen`) and the heading
  /// `t_ms,offset_px`. The last of several samples at the same time is used.
  ///
  /// - Parameter name: The name in messages and results, as in `log:NAME`.
  /// - Throws: ``LoadError/Kind/invalidRequest`` with the number of the first invalid line, or if there are
  ///   no samples or more than a million.
  /// - Complexity: O(bytes).
  public init(name: String, csv: [UInt8]) throws(LoadError) {
    try self.init(name: name, csv: csv, atMost: Self.maxSamples)
  }

  /// Reads a log of at most `count` samples.
  init(name: String, csv: [UInt8], atMost count: Int) throws(LoadError) {
    self.name = name
    var samples: [Sample] = []
    var screen = RecordedScreen()
    var number = 0
    var start: Double?
    for line in csv.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      number += 1
      let text = String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
      if text.isEmpty || (samples.isEmpty && text == Self.heading) { continue }
      func error(_ reason: String) -> LoadError {
        LoadError(.invalidRequest, "\(name), line \(number): \(reason)")
      }
      if samples.isEmpty, text.hasPrefix("#") {
        do throws(LoadError) { try screen.read(text) } catch let invalid { throw error(invalid.message) }
        continue
      }
      let fields = text.split(separator: ",", omittingEmptySubsequences: false)
      guard fields.count == 2, let time = Double(fields[0]), let offset = Double(fields[1]),
        Self.times.contains(time), Self.offsets.contains(offset)
      else { throw error("must be a time in ms and an offset in px, such as 16.7,120") }
      let sinceStart = time - (start ?? time)
      start = start ?? time
      guard sinceStart * 1e6 <= Double(Self.longest.wholeNanoseconds) else {
        throw error("the sample is more than a day after the first")
      }
      let nanoseconds = Int64((sinceStart * 1e6).rounded())
      guard nanoseconds >= samples.last?.time ?? 0 else {
        throw error("the sample is earlier than the one before it")
      }
      if samples.last?.time == nanoseconds { samples.removeLast() }
      guard samples.count < count else { throw error("the log has more than \(count) samples") }
      samples.append(Sample(time: nanoseconds, offset: (offset * 64).rounded() / 64))
    }
    guard !samples.isEmpty else { throw LoadError(.invalidRequest, "\(name) has no samples") }
    self.screen = screen
    self.samples = samples
  }

  /// The optional heading of a file.
  package static let heading = "t_ms,offset_px"

  /// False until the file is read.
  package var isRead: Bool { !samples.isEmpty }

  /// The time of the last sample.
  package var duration: Duration { .nanoseconds(samples.last?.time ?? 0) }

  /// Returns the offset at `time`, in px. O(log of the number of samples).
  func offset(at time: Duration) -> Double {
    guard let (from, to) = samples(around: time) else { return samples.last?.offset ?? 0 }
    let share = Double(max(0, time.wholeNanoseconds) - from.time) / Double(to.time - from.time)
    return from.offset + (to.offset - from.offset) * share
  }

  /// Returns the velocity at `time` of a list with the largest offset `limit`, in px/s, positive downwards.
  /// O(log of the number of samples).
  func velocity(at time: Duration, limit: Double) -> Double {
    guard let (from, to) = samples(around: time) else { return 0 }
    let moved = min(max(to.offset, 0), limit) - min(max(from.offset, 0), limit)
    return moved * 1e9 / Double(to.time - from.time)
  }

  /// Returns the last sample at or before `time` and the sample after it; nil from the last sample on.
  private func samples(around time: Duration) -> (Sample, Sample)? {
    let nanoseconds = max(0, time.wholeNanoseconds)
    let next = samples.countOfFirst { $0.time <= nanoseconds }
    return (1..<samples.count).contains(next) ? (samples[next - 1], samples[next]) : nil
  }
}
