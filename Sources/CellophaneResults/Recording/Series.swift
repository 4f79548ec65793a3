extension Recording {
  /// The motion of the list and its effects, in equal steps over the complete run.
  package struct Series: Sendable, Hashable {
    /// One step.
    package struct Sample: Sendable, Hashable {
      /// The scroll offset at the start of the step, in px.
      package var offset: Double
      /// The velocity at the start of the step, in px/s.
      package var velocity: Double
      /// The visible image area without its image, integrated over the step, in px²·s.
      package var blank = 0.0
      /// The visible image area, integrated over the step, in px²·s.
      package var area = 0.0
      /// The peak number of concurrent transfers.
      package var inFlight = 0
      /// The peak size of the memory cache, in bytes; nil if unknown.
      package var memory: Int?

      /// The share of the visible image area without its image; nil if no image area was visible.
      package var blankShare: Double? { area > 0 ? blank / area : nil }
    }

    /// The length of a step, in µs.
    package private(set) var step: Int64
    /// The steps, starting at time 0.
    package private(set) var samples: [Sample]

    /// The length of the steps of a short run. 25 ms: short enough to show the moment at which a finger stops
    /// the list. A minute has ``limit`` such steps.
    static let shortestStep: Int64 = 25_000
    /// The maximum number of steps: two for each pixel column of a figure of the width of a page.
    static let limit = 2_400

    /// Creates a series of `samples`, `step` µs apart.
    init(step: Int64 = shortestStep, samples: [Sample] = []) {
      self.step = step
      self.samples = samples
    }

    /// Adds a step. If there are more than ``limit``, each pair becomes one step of twice the length.
    mutating func append(_ sample: Sample) {
      samples.append(sample)
      if samples.count > Self.limit { thin() }
    }

    /// Adds `blank` of `area`, in px²·s, to the last step.
    mutating func add(blank: Double, area: Double) {
      guard let last = samples.indices.last else { return }
      samples[last].blank += blank
      samples[last].area += area
    }

    /// Rounds the areas of all steps to a thousandth: precise enough for figures, and short as text.
    mutating func roundAreas() {
      for index in samples.indices {
        samples[index].blank = (samples[index].blank * 1_000).rounded() / 1_000
        samples[index].area = (samples[index].area * 1_000).rounded() / 1_000
      }
    }

    /// Updates the peaks of the last step with the number of running transfers and the size of the memory
    /// cache.
    package mutating func note(inFlight transfers: Int, memory: Int?) {
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

    /// Returns the scroll offset at `time`, in px, linearly interpolated between steps. O(1).
    package func offset(at time: Int64) -> Double {
      guard let last = samples.last else { return 0 }
      let index = Int(max(0, time) / step)
      guard index + 1 < samples.count else { return last.offset }
      let share = Double(max(0, time) - Int64(index) * step) / Double(step)
      return samples[index].offset + (samples[index + 1].offset - samples[index].offset) * share
    }
  }
}
