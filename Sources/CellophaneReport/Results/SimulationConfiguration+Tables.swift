extension SimulationConfiguration {
  /// All settings, by section.
  var settings: [Table] {
    get throws {
      guard case .object(let sections) = try JSONValue(self) else { return [] }
      var run: [[String]] = []
      var tables: [Table] = []
      func position(_ name: String) -> Int {
        SettingLabels.sections.firstIndex { $0.name == name } ?? SettingLabels.sections.count
      }
      let sorted = sections.sorted { (position($0.key), $0.key) < (position($1.key), $1.key) }
      for (name, value) in sorted where name != "assumptions" {
        guard case .object(let fields) = value else {
          run.append([SettingLabels.label(name), value.text])
          continue
        }
        let about = SettingLabels.sections.first { $0.name == name }.map { ": " + $0.about } ?? ""
        tables.append(
          Table(
            caption: name + about, head: [],
            rows: fields.sorted { $0.key < $1.key }.map {
              [SettingLabels.label($0.key, in: name), $0.value.text]
            }))
      }
      return tables + [Table(caption: "run", head: [], rows: run)]
    }
  }
}
