internal import Cellophane
internal import CellophaneResults

extension Simulation {
  /// The name of the schema of scripts. New versions only add fields.
  package static let scriptSchema = "cellophane.script/1"

  /// Returns the script that a harness of another loader plays, as JSON Lines: the scenario, the rows with the paths and
  /// sizes of their images, and the frames in which the list moves, each with its visible rows.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` if the scenario has other images than generated ones, or rotations.
  package func script() throws -> [UInt8] {
    guard configuration.list.pictures == .generated else {
      throw LoadError(.invalidRequest, "a script needs generated images; leave --urls out")
    }
    let orientations = try ScreenOrientation.all(of: configuration)
    guard orientations.count == 1 else {
      throw LoadError(.invalidRequest, "a script cannot rotate the screen; leave the rotations of events out")
    }
    var one = configuration
    one.replicas = 1
    let plan = ScreenPlan(
      orientations: orientations, requests: ([], []), refreshRate: configuration.viewport.refreshRate,
      duration: configuration.duration)
    let (frames, rows) = frames(of: plan)
    let layout = orientations[0].layout
    let contents = ListContents(configuration.list, seed: configuration.seed)
    var text = "{\"schema\":\"\(Self.scriptSchema)\",\"scenario\":"
    text += String(decoding: try one.scenario(), as: UTF8.self)
    text +=
      ",\"hz\":\(plan.refreshRate),\"frames\":\(plan.frames),\"slots\":\(layout.slots),\"rows\":\(rows)}\n"
    for row in 0..<rows {
      let picture = contents.picture(of: row)
      let size = contents.imageSize(of: picture).fitted(into: layout.pixelSize(of: row))
      text += "{\"row\":\(row),\"path\":\"\(PictureFiles.path(of: picture))\","
      text += "\"width\":\(size.width),\"height\":\(size.height)}\n"
    }
    return Array((text + frames).utf8)
  }

  /// Returns the lines of the frames in which the list moves, and the number of rows that become visible.
  private func frames(of plan: ScreenPlan) -> (lines: String, rows: Int) {
    var walk = OrientationWalk(plan.orientations)
    var (lines, rows) = ("", 0)
    var last: ScrollState?
    for vsync in 0..<plan.frames {
      let time = plan.time(ofFrame: vsync)
      let state = walk.state(at: time)
      if let last, last.isAtRest(with: state) { continue }
      last = state
      let layout = walk.orientation.layout
      let visible = layout.visibleRows(at: state.offset).filter {
        layout.visibleArea(of: $0, at: state.offset) > 0
      }
      rows = max(rows, (visible.last ?? -1) + 1)
      lines +=
        "{\"vsync\":\(vsync),\"offset\":\(state.offset),\"velocity\":\((state.velocity * 10).rounded() / 10),"
      lines += "\"first\":\(visible.first ?? 0),\"count\":\(visible.count)}\n"
    }
    return (lines, rows)
  }
}
