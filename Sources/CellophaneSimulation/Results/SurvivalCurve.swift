/// How many rows of one loader still wait for their picture, against how long they have been on the screen: the
/// Kaplan-Meier estimate as a curve.
public struct SurvivalCurve: Sendable, Hashable, Codable {
  /// Whose rows: `cellophane`, or the name of a baseline.
  public let loader: String
  /// The waits after which somebody's was over, in ms, ascending.
  public let waits: [Double]
  /// The share that still waits after each.
  public let surviving: [Double]
  /// The waits that were cut short, in ms, ascending; equal ones once.
  public let cut: [Double]

  private enum CodingKeys: String, CodingKey {
    case loader, surviving
    case waits = "waits_ms"
    case cut = "censored_ms"
  }

  /// The most points of a curve: one for each two pixels of a drawing.
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
    let ends = thin(sorted.filter { $0.count.over > 0 }.map(\.ticks))
    self.loader = loader
    self.waits = ends.map(milliseconds)
    surviving = ends.map { estimate.surviving(.seconds($0) / ticksPerSecond) }
    cut = thin(sorted.filter { $0.count.cut > 0 }.map(\.ticks)).map(milliseconds)
  }

  /// Reads what `encode(to:)` writes.
  ///
  /// - Throws: `DecodingError` when there is not one share for each wait, or a number is none that a curve can have.
  public init(from decoder: any Decoder) throws {
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
        forKey: .waits, in: object, debugDescription: "is no survival curve")
    }
  }

  /// The share that still waits after `wait`, in ms.
  func surviving(after wait: Double) -> Double { waits.lastIndex { $0 <= wait }.map { surviving[$0] } ?? 1 }
}
