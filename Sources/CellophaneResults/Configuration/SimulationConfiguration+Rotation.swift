internal import Cellophane

extension SimulationConfiguration {
  /// The times at which the screen rotates.
  var rotations: [Duration] { events.filter { $0.kind == .rotation }.map(\.time) }

  /// The configuration of the rotated screen. Each length of the list grows or shrinks with the width of the
  /// screen, as images of the screen's width do (assumed).
  var rotated: SimulationConfiguration {
    var rotated = self
    rotated.events = []
    rotated.viewport.size = PixelSize(width: viewport.size.height, height: viewport.size.width)
    let scale = Double(viewport.size.height) / Double(max(1, viewport.size.width))
    func scaled(_ length: Int) -> Int {
      // The layout reports a length that is too large.
      max(1, Int(min((Double(length) * scale).rounded(), Double(ListLayout.lengths.upperBound + 1))))
    }
    rotated.list = list.scaled(scaled)
    return rotated
  }

  /// Checks that the screen can rotate, if there is an event that rotates it.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` with the path of the first rotation that cannot be played.
  func checkRotation() throws(LoadError) {
    guard let index = events.firstIndex(where: { $0.kind == .rotation }) else { return }
    let path = "events[\(index)].kind"
    if list.isOwn {
      throw ScenarioField.error(
        path, "your own images are identified by their pixels at one size; use generated images")
    }
    if case .log = gesture.profile {
      throw ScenarioField.error(path, "a recorded scroll does not rotate the screen; use another profile")
    }
    do { _ = try rotated.checkedLayout() } catch {
      throw ScenarioField.error(path, "the list does not fit the rotated screen: \(error.message)")
    }
  }
}
