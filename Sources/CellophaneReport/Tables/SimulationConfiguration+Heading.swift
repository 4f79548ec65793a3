internal import Cellophane
internal import CellophaneNetwork

extension SimulationConfiguration {
  /// A suffix with the heights of the rows. The result contains no heights of a list, and does not state whether a list
  /// of the user's images has any.
  private var heights: String {
    switch list.pictures {
    case .generated: " of \(list.rowHeight) px"
    case .listed: " with listed heights"
    case .own: ""
    }
  }

  /// Returns the first lines of a table: the list, the images and the runs.
  ///
  /// - Parameters:
  ///   - isVirtual: Whether the runs took place in virtual time.
  ///   - loaders: The loaders that played the runs.
  func heading(isVirtual: Bool, loaders: String) -> [String] {
    let kind = list.layout == .rows ? "" : " (\(list.layout.rawValue))"
    let rows =
      "\(list.rows) row\(list.rows == 1 ? "" : "s")\(heights)\(kind) in \(viewport.slots ?? 0) reused cells, "
      + "\(gesture.profile.name) on \(gesture.physics.rawValue) at \(viewport.refreshRate) Hz"
    let length =
      Quantity.decimal(duration.seconds, places: 1) + (isVirtual ? " s of virtual time" : " s")
    let runs =
      replicas > 1
      ? "\(replicas) replicas of \(length) with \(loaders), first seed \(seed)"
      : "\(length) with \(loaders), seed \(seed)"
    guard !list.isOwn else { return [rows, "images from their own URLs", runs] }
    let profile = network.profile
    return [
      rows,
      "images of \(Quantity.bytes(Double(list.meanBytes ?? 0))) on average, over \(profile.name) \(profile.rates)",
      runs,
    ]
  }
}
