internal import Cellophane

extension SimulationConfiguration {
  /// When the screen is turned.
  var rotations: [Duration] { events.filter { $0.kind == .rotation }.map(\.time) }

  /// The same on a screen that lies on its side: every length of the list grows or shrinks as the width does, as those
  /// of pictures do that are as wide as the screen (assumed).
  var turned: SimulationConfiguration {
    var turned = self
    turned.events = []
    turned.viewport.size = PixelSize(width: viewport.size.height, height: viewport.size.width)
    let scale = Double(viewport.size.height) / Double(max(1, viewport.size.width))
    func scaled(_ length: Int) -> Int {
      // What cannot be laid out any more is refused there.
      max(1, Int(min((Double(length) * scale).rounded(), Double(ListLayout.lengths.upperBound + 1))))
    }
    turned.list = list.scaled(scaled)
    return turned
  }

  /// - Throws: ``LoadError/Kind/invalidRequest`` with the path of the first event that turns what cannot be turned.
  func checkRotation() throws(LoadError) {
    guard let index = events.firstIndex(where: { $0.kind == .rotation }) else { return }
    let path = "events[\(index)].kind"
    if list.isOwn {
      throw ScenarioField.refused(
        path, "pictures of your own are told by their pixels at one size; turn generated ones")
    }
    if case .log = gesture.profile {
      throw ScenarioField.refused(path, "a scroll was recorded on a screen that was not turned")
    }
    do { _ = try turned.checkedLayout() } catch {
      throw ScenarioField.refused(path, "turned, the list cannot be played: \(error.message)")
    }
  }
}
