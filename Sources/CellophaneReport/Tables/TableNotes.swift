internal import Cellophane
internal import CellophaneNetwork
internal import CellophaneResults

/// Explanations of the numbers of a result, in lines of at most 84 columns. A page joins the lines.
enum TableNotes {
  static let quantiles = """
    Quantiles cover the rows of all replicas. Other values are means per replica,
    over replicas with a value.
    """

  /// Returns the meaning of the marks, which is the same in every table and figure.
  ///
  /// - Parameter reference: The number with which a marked number is compared, such as `cellophane`.
  static func marks(reference: String) -> String {
    "*: better than \(reference); !: worse. No mark: the difference may be chance."
  }

  /// The error probability of the marks.
  static let confirmed = """
    Only confirmed differences are marked: the probability of any false mark is at
    most 5 % (pairs of replicas, Holm), and shares differ by 0.05 points or more.
    """

  static let never = "never: too few of these waits ended, as when rows leave without their image."
  static let missing = "–: unknown"

  static let unknown = "\(never)\n\(missing), or not measured for this loader."

  /// For a study, whose results have no numbers of waits.
  static let missingInStudy = "\(missing) (not measured, or too few waits ended, as when rows leave)."

  static let rows = """
    At rest: below 50 px/s, with the empty screen at the start. Stop: at rest for
    300 ms. Late images: they arrived after their row; a loader that shows few
    images has few. Wrong image: of another row. Old version: the origin had a
    newer one.
    """

  static let bestMemory = """
    ideal memory: the hit rate of an ideal cache of this size without prefetching.
    It is one number for all loaders. Prefetching can exceed it, because it loads
    images before their first use. A loader can also stay below it: an image that
    has not arrived cannot be hit. Fewer hits with the policy: how many fewer the
    eviction policy has on the same requests without prefetching, as a share of the
    ideal ones.
    """

  /// For the user's images in real time.
  static let ownImages = """
    Images of your own: rows whose URL returned no image after the run are left
    out of the numbers about rows, such as time to image, blank area and rows that
    entered the screen. Image sources and failed loads include them. Whether a
    screen was complete is not measured.
    """

  static let sources = "Image sources: shares of the requests by reused cells, together 100 %."
}

extension DifferenceFamily.Claim {
  /// The mark before a number: `*` for a better value, `!` for a worse one; empty without a better direction.
  var mark: String {
    switch self {
    case .better: "*"
    case .worse: "!"
    case .less, .more: ""
    }
  }

  /// The claim about the second number, if this is the claim about the first.
  var reversed: Self {
    switch self {
    case .better: .worse
    case .worse: .better
    case .less: .more
    case .more: .less
    }
  }

  /// Returns `text` in the color of the claim: green for better, red for worse.
  func colored(_ text: String) -> String {
    switch self {
    case .better: "\u{1B}[32m\(text)\u{1B}[0m"
    case .worse: "\u{1B}[31m\(text)\u{1B}[0m"
    case .less, .more: text
    }
  }
}

extension AssertionOutcome {
  /// The outcome as a line of a table.
  var line: String {
    switch verdict {
    case .holds: sentence
    case .notShown: "ASSERTION NOT SHOWN: " + sentence
    case .fails: "ASSERTION FAILED: " + sentence
    }
  }
}

extension NetworkProfile {
  /// The download rate, a mean if it varies, and the round trip, in parentheses.
  var rates: String {
    let mean = variation == nil ? "" : " on average"
    let rate = downBitsPerSecond.map { Quantity.bitRate(Double($0)) + mean } ?? "no limit"
    return "(\(rate), \(Quantity.milliseconds(roundTrip.milliseconds)) round trip)"
  }
}
