public import Cellophane

/// The prefetch policies that can be compared, by name.
public enum PrefetchRule: Sendable, Hashable {
  /// Rows are loaded when they come in.
  case none
  /// So many rows beyond the visible ones, in the direction of the scroll.
  case rows(Int)
  /// What is within so many screens ahead and so many behind, as Texture does.
  case screens(leading: Double, trailing: Double)
  /// What is within 250 px on either side, as Flutter does.
  case flutter
  /// What is within about a row ahead while the list moves, as Jetpack Compose does.
  case compose
  /// What is due soon at the present velocity.
  case deadline
  /// What is ahead, up to a little behind the place where a fling comes to rest, without what flies by. Ours.
  case landing

  /// Texture's range for loading, in its full mode.
  private static let texture = PrefetchRule.screens(leading: 2.5, trailing: 1.5)

  /// The rule that `text` names: `none`, `rows:N`, `screens:L,T`, `flutter`, `compose`, `deadline` or
  /// `landing`; `glide:N` or the number alone, which are `rows:N`, or `asdk`, which is `screens:2.5,1.5`.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` when it names none.
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
      "no prefetch policy '\(text)'; take none, rows:N or glide:N with N in 0...200, screens:L,T with both in "
        + "0...10, asdk, flutter, compose, deadline or landing")
  }

  /// The name that ``init(parsing:)`` understands.
  public var name: String {
    switch self {
    case .none: "none"
    case .rows(let count): "rows:\(count)"
    case .screens(let leading, let trailing): "screens:\(leading),\(trailing)"
    case .flutter: "flutter"
    case .compose: "compose"
    case .deadline: "deadline"
    case .landing: "landing"
    }
  }

  /// How many rows beyond those where a list of `layout` is or comes to rest it may ask for. Of rules that know no
  /// number, as many as one with a number can.
  func reach(in layout: ListLayout) -> Int {
    switch self {
    case .none: 0
    case .rows(let count): count
    case .landing: max(LandingAware.rowsBeyond, layout.visibleAtOnce)
    default: RowsAhead.counts.upperBound
    }
  }

  /// What it does.
  public var policy: any PrefetchPolicy {
    switch self {
    case .none: RowsAhead(count: 0)
    case .rows(let count): RowsAhead(count: count)
    case .screens(let leading, let trailing): ScreensAround(leading: leading, trailing: trailing)
    case .flutter: CacheExtent()
    case .compose: CacheWindow()
    case .deadline: DueSoon()
    case .landing: LandingAware()
    }
  }
}
