internal import Cellophane

extension SimulationConfiguration {
  /// Checks the configuration of a result. The images and a recorded scroll are not part of the result.
  ///
  /// - Throws: ``LoadError/Kind/invalidRequest`` with the path of the first invalid field.
  func checkAsPlayed() throws(LoadError) {
    try list.checkAsPlayed()
    try ScenarioField.check(viewport.size.width, "viewport.w", within: ListLayout.lengths)
    try ScenarioField.check(viewport.size.height, "viewport.h", within: ListLayout.lengths)
    try viewport.check()
    try checkSections(asPlayed: true)
  }
}

extension SimulationConfiguration.List {
  /// Checks the list of a result, which is displayed but not laid out.
  fileprivate func checkAsPlayed() throws(LoadError) {
    try ScenarioField.check(rows, "list.rows", within: ListLayout.rowCounts)
    try ScenarioField.check(columns, "list.columns", within: ListLayout.columnCounts)
    try ScenarioField.check(rowHeight, "list.row_height_px", within: ListLayout.lengths)
    try ScenarioField.check(picture.width, "list.picture[0]", within: ListLayout.lengths)
    try ScenarioField.check(picture.height, "list.picture[1]", within: ListLayout.lengths)
    try ScenarioField.check(meanBytes ?? 0, "list.mean_bytes", within: RecordingLimits.bytes)
  }
}
