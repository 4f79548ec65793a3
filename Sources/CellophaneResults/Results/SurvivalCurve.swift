/// The share of the rows of one loader that still wait for their image, by time on the screen: the
/// Kaplan-Meier estimate as a curve.
package struct SurvivalCurve: Sendable, Hashable, Codable {
  /// The loader: `cellophane`, or the name of a baseline.
  package let loader: String
  /// The lengths of waits that were not censored, in ms, ascending.
  package let waits: [Double]
  /// The share of rows that still wait after each of these.
  package let surviving: [Double]
  /// The lengths of censored waits, in ms, ascending without duplicates.
  package let cut: [Double]

  private enum CodingKeys: String, CodingKey {
    case loader, surviving
    case waits = "waits_ms"
    case cut = "censored_ms"
  }

  /// The maximum number of points: one for every two pixels of a figure.
  private static let limit = 400

  init(_ loader: String, _ waits: WaitHistogram, ticksPerSecond: Int) {
    func thin(_ values: [Int]) -> [Int] {
      let step = (values.count + Self.limit - 1) / Self.limit
      guard step > 1, let last = values.last else { return values }
      return stride(from: 0, to: values.count - 1, by: step).map { values[$0] } + [last]
    }
    func milliseconds(_ ticks: Int) -> Double {
      (Double(ticks) * 10_000 / Double(ticksPerSecond)).rounded() / 10
    }
    let estimate = KaplanMeier(waits, ticksPerSecond: ticksPerSecond)
    let sorted = waits.sorted
    let ends = thin(sorted.filter { $0.count.ended > 0 }.map(\.ticks))
    self.loader = loader
    self.waits = ends.map(milliseconds)
    surviving = ends.map { estimate.surviving(.seconds($0) / ticksPerSecond) }
    cut = thin(sorted.filter { $0.count.censored > 0 }.map(\.ticks)).map(milliseconds)
  }

  /// Reads the output of `encode(to:)`.
  ///
  /// - Throws: `DecodingError` if the numbers of waits and shares differ, or a value is invalid.
  package init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: CodingKeys.self)
    loader = try object.decode(String.self, forKey: .loader)
    waits = try object.decode([Double].self, forKey: .waits)
    surviving = try object.decode([Double].self, forKey: .surviving)
    cut = try object.decode([Double].self, forKey: .cut)
    let isSound =
      waits.count == surviving.count && surviving.allSatisfy((0...1).contains)
      && [waits, cut].allSatisfy {
        $0.allSatisfy((0...1e12).contains) && zip($0, $0.dropFirst()).allSatisfy(<=)
      }
    guard isSound else {
      throw DecodingError.dataCorruptedError(
        forKey: .waits, in: object, debugDescription: "is not a valid survival curve")
    }
  }

  /// Returns the share of rows that still wait after `wait`, in ms.
  package func surviving(after wait: Double) -> Double {
    waits.lastIndex { $0 <= wait }.map { surviving[$0] } ?? 1
  }
}
