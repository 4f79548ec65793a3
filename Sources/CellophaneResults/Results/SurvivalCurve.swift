/// The share of the rows of one loader that lack their image, by time since they entered the screen: one minus the
/// ``WaitDistribution``. Rows that left without their image lack it forever, so the curve may end above 0.
package struct SurvivalCurve: Sendable, Hashable, Codable {
  /// The loader: `cellophane`, or the name of a baseline.
  package let loader: String
  /// The lengths of waits that ended, in ms, ascending.
  package let waits: [Double]
  /// The share of rows that still lack their image after each of these.
  package let surviving: [Double]
  /// The longest wait, whether it ended or was cut short, in ms; nil without waits.
  package let longest: Double?

  private enum CodingKeys: String, CodingKey {
    case loader, surviving
    case waits = "waits_ms"
    case longest = "longest_ms"
  }

  /// The maximum number of points: one for every two pixels of a figure.
  private static let limit = 400

  init(_ loader: String, _ waits: WaitHistogram, ticksPerSecond: Int) {
    func milliseconds(_ ticks: Int) -> Double {
      (Double(ticks) * 10_000 / Double(ticksPerSecond)).rounded() / 10
    }
    let distribution = WaitDistribution(waits, ticksPerSecond: ticksPerSecond)
    let sorted = waits.sorted
    var ends = sorted.filter { $0.count.ended > 0 }.map(\.ticks)
    let step = (ends.count + Self.limit - 1) / Self.limit
    if step > 1, let last = ends.last {
      ends = stride(from: 0, to: ends.count - 1, by: step).map { ends[$0] } + [last]
    }
    self.loader = loader
    self.waits = ends.map(milliseconds)
    surviving = ends.map { 1 - distribution.ended(within: .seconds($0) / ticksPerSecond) }
    longest = (sorted.last?.ticks).map(milliseconds)
  }

  /// Reads the output of `encode(to:)`.
  ///
  /// - Throws: `DecodingError` if the numbers of waits and shares differ, or a value is invalid.
  package init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: CodingKeys.self)
    loader = try object.decode(String.self, forKey: .loader)
    waits = try object.decode([Double].self, forKey: .waits)
    surviving = try object.decode([Double].self, forKey: .surviving)
    longest = try object.decodeIfPresent(Double.self, forKey: .longest)
    let isSound =
      waits.count == surviving.count && surviving.allSatisfy((0...1).contains)
      && (waits + [longest ?? 0]).allSatisfy((0...1e12).contains)
      && zip(waits, waits.dropFirst()).allSatisfy(<=)
    guard isSound else {
      throw DecodingError.dataCorruptedError(
        forKey: .waits, in: object, debugDescription: "is not a valid survival curve")
    }
  }

  /// Returns the share of rows that still lack their image after `wait`, in ms.
  package func surviving(after wait: Double) -> Double {
    waits.lastIndex { $0 <= wait }.map { surviving[$0] } ?? 1
  }
}
