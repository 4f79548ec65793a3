extension Recording {
  /// The motion of the list and what came of it, in equal steps over a whole run.
  public struct Series: Sendable, Hashable {
    /// One step.
    public struct Sample: Sendable, Hashable {
      /// How far the list was scrolled at the step's beginning, in px.
      public var offset: Double
      /// How fast it moved there, in px/s.
      public var velocity: Double
      /// The visible picture area without its picture over the step, in px²·s.
      public var blank = 0.0
      /// The visible picture area over the step, in px²·s.
      public var area = 0.0
      /// The most transfers at once.
      public var inFlight = 0
      /// What the memory cache held at most, in bytes; nil where nobody tells.
      public var memory: Int?

      /// The share of the visible picture area that lacked its picture; nil when there was none.
      public var blankShare: Double? { area > 0 ? blank / area : nil }
    }

    /// The length of a step in µs.
    public private(set) var step: Int64
    /// The steps, the first from 0 on.
    public private(set) var samples: [Sample]

    /// The length of the steps of a short run. 25 ms: the bend where a finger catches a list is a bend, and a minute
    /// has ``limit`` of them.
    static let shortestStep: Int64 = 25_000
    /// The most steps: two for each pixel column of a picture that is as wide as a page.
    static let limit = 2_400

    /// A series of `samples`, each `step` µs after the one before.
    init(step: Int64 = shortestStep, samples: [Sample] = []) {
      self.step = step
      self.samples = samples
    }

    /// Adds a step. When there are too many, each two become one of twice the length.
    mutating func append(_ sample: Sample) {
      samples.append(sample)
      if samples.count > Self.limit { thin() }
    }

    /// Counts `blank` of `area`, in px²·s, towards the last step.
    mutating func add(blank: Double, area: Double) {
      guard let last = samples.indices.last else { return }
      samples[last].blank += blank
      samples[last].area += area
    }

    /// Rounds the areas of all steps to a thousandth: less than any drawing shows, and short as text, which sums are not.
    mutating func roundAreas() {
      for index in samples.indices {
        samples[index].blank = (samples[index].blank * 1_000).rounded() / 1_000
        samples[index].area = (samples[index].area * 1_000).rounded() / 1_000
      }
    }

    /// Counts `transfers` at once, and what memory holds, towards the last step.
    mutating func note(inFlight transfers: Int, memory: Int?) {
      guard let last = samples.indices.last else { return }
      samples[last].inFlight = max(samples[last].inFlight, transfers)
      if let memory { samples[last].memory = max(samples[last].memory ?? 0, memory) }
    }

    private mutating func thin() {
      step *= 2
      samples = stride(from: 0, to: samples.count, by: 2).map { index in
        var sample = samples[index]
        guard index + 1 < samples.count else { return sample }
        let next = samples[index + 1]
        sample.blank += next.blank
        sample.area += next.area
        sample.inFlight = max(sample.inFlight, next.inFlight)
        if let memory = next.memory { sample.memory = max(sample.memory ?? 0, memory) }
        return sample
      }
    }

    /// How far the list was scrolled at `time`, in px, along a straight line from step to step. O(1).
    func offset(at time: Int64) -> Double {
      guard let last = samples.last else { return 0 }
      let index = Int(max(0, time) / step)
      guard index + 1 < samples.count else { return last.offset }
      let share = Double(max(0, time) - Int64(index) * step) / Double(step)
      return samples[index].offset + (samples[index + 1].offset - samples[index].offset) * share
    }
  }
}
