internal import Cellophane

extension SimulationConfiguration {
  /// Of what was played: its pictures, and a recorded scroll, are elsewhere.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` with the path of the first field that no result can have.
  func checkAsPlayed() throws(LoadError) {
    try list.checkAsPlayed()
    try ScenarioField.check(viewport.size.width, "viewport.w", within: ListLayout.lengths)
    try ScenarioField.check(viewport.size.height, "viewport.h", within: ListLayout.lengths)
    try checkSections(asPlayed: true)
  }
}

extension SimulationConfiguration.List {
  /// Of a list that was played, which has to be told and not made.
  fileprivate func checkAsPlayed() throws(LoadError) {
    try ScenarioField.check(rows, "list.rows", within: ListLayout.rowCounts)
    try ScenarioField.check(columns, "list.columns", within: ListLayout.columnCounts)
    try ScenarioField.check(rowHeight, "list.row_height_px", within: ListLayout.lengths)
    try ScenarioField.check(picture.width, "list.picture[0]", within: ListLayout.lengths)
    try ScenarioField.check(picture.height, "list.picture[1]", within: ListLayout.lengths)
    try ScenarioField.check(meanBytes ?? 0, "list.mean_bytes", within: RecordingLimits.bytes)
  }
}
