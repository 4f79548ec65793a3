extension SimulationConfiguration {
  /// Every setting, by section.
  var settings: [Table] {
    get throws {
      guard case .object(let sections) = try JSONValue(self) else { return [] }
      var run: [[String]] = []
      var tables: [Table] = []
      func place(_ name: String) -> Int {
        SettingWords.sections.firstIndex { $0.name == name } ?? SettingWords.sections.count
      }
      let sorted = sections.sorted { (place($0.key), $0.key) < (place($1.key), $1.key) }
      for (name, value) in sorted where name != "assumptions" {
        guard case .object(let fields) = value else {
          run.append([SettingWords.label(name), value.text])
          continue
        }
        let about = SettingWords.sections.first { $0.name == name }.map { ": " + $0.about } ?? ""
        tables.append(
          Table(
            caption: name + about, head: [],
            rows: fields.sorted { $0.key < $1.key }.map {
              [SettingWords.label($0.key, in: name), $0.value.text]
            }))
      }
      return tables + [Table(caption: "run", head: [], rows: run)]
    }
  }
}
