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

  /// A suffix with the density of the screen; empty if it is 1.
  var screenSuffix: String { density.map { " on a screen with \($0)" } ?? "" }

  /// The density of the screen as text; nil if it is 1.
  private var density: String? {
    guard viewport.density != 1 else { return nil }
    let number = Int(exactly: viewport.density).map { "\($0)" } ?? "\(viewport.density)"
    return "\(number) device pixels per px"
  }

  /// Returns the first lines of a table: the list, the screen if its density is not 1, the images and the runs.
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
    let screen =
      density.map { ["screen of \(viewport.size.width)x\(viewport.size.height) px with \($0)"] } ?? []
    guard !list.isOwn else { return [rows] + screen + ["images from their own URLs", runs] }
    let profile = network.profile
    return [rows] + screen + [
      "images of \(Quantity.bytes(Double(list.meanBytes ?? 0))) on average, over \(profile.name) \(profile.rates)",
      runs,
    ]
  }
}
