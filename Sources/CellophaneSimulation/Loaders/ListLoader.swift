internal import Cellophane

/// How a list gets its pictures. Two are measured against each other: ours and the naive one.
protocol ListLoader: Sendable {
  /// A list of `rows` rows with reused slots, so many at first. The closures are called in the isolation of whoever drives
  /// it.
  ///
  /// - Parameters:
  ///   - request: What a row asks for.
  ///   - display: Told what the picture proves to be that a slot comes to show.
  ///   - bind: Told, before that, which row a slot stands for from now on.
  func makeList(
    rows: Int, slots: Int, request: @escaping (_ row: Int) -> ImageRequest?,
    display: @escaping (_ slot: Int, SlotState<PictureIdentity>) -> Void,
    bind: @escaping (_ slot: Int, _ row: Int) -> Void
  ) -> any SimulatedList
}

/// The slots of a list on a ``Screen``, and what loads their pictures. Belongs to the actor that made it.
protocol SimulatedList: AnyObject {
  /// The list moves like this now: gives slots to the rows that came in, which show what they ask for.
  func scroll(_ motion: ListMotion, isolation: isolated any Actor)

  /// The slot that stands for a visible row.
  func slot(of row: Int) -> Int?

  /// The screen was turned: no slot stands for a row any more, and `count` are needed.
  func invalidate(count: Int?, isolation: isolated any Actor)

  /// The run is over: nothing is wanted any more.
  func end(isolation: isolated any Actor)
}

extension SlotState {
  /// The same with another value.
  func map<Other>(_ transform: (Value) -> Other) -> SlotState<Other> {
    switch self {
    case .empty: .empty
    case .loading(let previous): .loading(previous: previous.map(transform))
    case .preview(let value): .preview(transform(value))
    case .shown(let value, let source): .shown(transform(value), from: source)
    case .failed(let error): .failed(error)
    }
  }
}
