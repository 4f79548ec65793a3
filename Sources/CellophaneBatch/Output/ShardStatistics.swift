internal import Cellophane

/// The statistics of the samples of an archive, described by `Documentation/schemas/cellophane.shard-stats.schema.json`.
struct ShardStatistics: Sendable {
  /// The smallest, the largest and the sum of some lengths.
  private struct Lengths {
    var (least, most, sum) = (Int.max, 0, 0)

    mutating func add(_ length: Int) {
      (least, most, sum) = (min(least, length), max(most, length), sum + length)
    }
  }

  private var samples = 0
  private var captions = 0
  private var imageBytes = 0
  private var sized = 0
  private var (widths, heights) = (Lengths(), Lengths())
  private var formats: [String: Int] = [:]
  private var outcomes: [String: Int] = [:]

  mutating func add(_ sample: ShardSample) {
    samples += 1
    if sample.hasCaption { captions += 1 }
    imageBytes += sample.pictureCount
    formats[sample.format, default: 0] += 1
    outcomes[sample.result.outcome.rawValue, default: 0] += 1
    if let width = sample.result.width, let height = sample.result.height {
      sized += 1
      widths.add(width)
      heights.add(height)
    }
  }

  /// Returns the statistics as a JSON object with a line break.
  func json(archive: String, bytes: Int) -> [UInt8] {
    var json = JSONLine()
    json.add("archive", archive)
    json.add("samples", samples)
    json.add("captions", captions)
    json.add("bytes", bytes)
    json.add("imageBytes", imageBytes)
    for (name, counts) in [("formats", formats), ("outcomes", outcomes)] as [(StaticString, [String: Int])] {
      json.add(name, counts: counts)
    }
    if sized > 0 {
      for (name, lengths) in [("width", widths), ("height", heights)] as [(StaticString, Lengths)] {
        json.add(name) {
          $0.add("min", lengths.least)
          $0.add("mean", Double(lengths.sum) / Double(sized))
          $0.add("max", lengths.most)
        }
      }
    }
    return json.line()
  }
}
