public import Cellophane

/// The prefetch policies that a simulation can use, by name.
public enum PrefetchRule: Sendable, Hashable {
  /// No prefetching: rows load when they become visible.
  case none
  /// A number of rows beyond the visible ones, in the direction of the scroll, and at least those of a number of screens.
  case rows(Int, screens: Double = 0)
  /// The rows within a number of screens ahead and behind, as in Texture.
  case screens(leading: Double, trailing: Double)
  /// The rows within 250 px above and below, as in Flutter.
  case flutter
  /// The rows within about a row ahead while the list moves, as in Jetpack Compose.
  case compose
  /// The rows that become visible soon at the current velocity.
  case deadline
  /// The rows up to a little beyond the point where a fling comes to rest, without those that pass too fast
  /// to be seen.
  case landing

  /// Texture's range for loading in its full range mode.
  private static let texture = PrefetchRule.screens(leading: 2.5, trailing: 1.5)

  /// Creates the rule with the name `text`: `none`, `rows:N`, `rows:N,SCREENS`, `screens:AHEAD,BEHIND`, `flutter`,
  /// `compose`, `deadline` or `landing`. `glide:N` and a plain number are `rows:N`; `asdk` is `screens:2.5,1.5`.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` if no rule has that name.
  public init(parsing text: String) throws(LoadError) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let numbers = parts.dropFirst().first?.split(separator: ",", omittingEmptySubsequences: false) ?? []
    switch (parts.first, numbers.count) {
    case ("none", 0) where parts.count == 1: self = .none
    case ("asdk", 0) where parts.count == 1: self = Self.texture
    case ("flutter", 0) where parts.count == 1: self = .flutter
    case ("compose", 0) where parts.count == 1: self = .compose
    case ("deadline", 0) where parts.count == 1: self = .deadline
    case ("landing", 0) where parts.count == 1: self = .landing
    case ("rows", 1), ("glide", 1):
      guard let count = Int(numbers[0]), RowsAhead.counts.contains(count) else {
        throw Self.unknown(text)
      }
      self = .rows(count)
    case ("rows", 2):
      guard let count = Int(numbers[0]), let screens = Double(numbers[1]), RowsAhead.counts.contains(count),
        RowsAhead.screenCounts.contains(screens)
      else { throw Self.unknown(text) }
      self = .rows(count, screens: screens)
    case ("screens", 2):
      guard let leading = Double(numbers[0]), let trailing = Double(numbers[1]),
        ScreensAround.counts.contains(leading), ScreensAround.counts.contains(trailing)
      else { throw Self.unknown(text) }
      self = .screens(leading: leading, trailing: trailing)
    default:
      guard let count = Int(text), RowsAhead.counts.contains(count) else { throw Self.unknown(text) }
      self = .rows(count)
    }
  }

  private static func unknown(_ text: String) -> LoadError {
    LoadError(
      .invalidRequest,
      "unknown prefetch policy '\(text)'; use none, rows:N, rows:N,SCREENS or glide:N with N from 0 to 200, "
        + "screens:AHEAD,BEHIND, asdk, compose, flutter, deadline or landing; numbers of screens are from 0 to 10"
    )
  }

  /// The name, in the format of ``init(parsing:)``.
  public var name: String {
    switch self {
    case .none: "none"
    case .rows(let count, let screens): screens > 0 ? "rows:\(count),\(screens)" : "rows:\(count)"
    case .screens(let leading, let trailing): "screens:\(leading),\(trailing)"
    case .flutter: "flutter"
    case .compose: "compose"
    case .deadline: "deadline"
    case .landing: "landing"
    }
  }

  /// Returns the maximum number of rows that the rule requests beyond the visible rows and those where a
  /// fling ends. For a rule without a number, the maximum of ``rows(_:)``.
  package func reach(in layout: ListLayout) -> Int {
    switch self {
    case .none: 0
    case .rows(let count, let screens):
      max(count, screens > 0 ? layout.maxRows(inScreens: screens) : 0)
    case .landing: max(LandingAware.rowsBeyond, layout.visibleAtOnce)
    default: RowsAhead.counts.upperBound
    }
  }

  /// The policy.
  package var policy: any PrefetchPolicy {
    switch self {
    case .none: RowsAhead(count: 0)
    case .rows(let count, let screens): RowsAhead(count: count, screens: screens)
    case .screens(let leading, let trailing): ScreensAround(leading: leading, trailing: trailing)
    case .flutter: CacheExtent()
    case .compose: CacheWindow()
    case .deadline: DueSoon()
    case .landing: LandingAware()
    }
  }
}
