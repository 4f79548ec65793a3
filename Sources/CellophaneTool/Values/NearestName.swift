extension String {
  /// Returns the name that was probably meant; nil if none is similar.
  ///
  /// A name is similar if it begins with this text, or if at most two characters were inserted, deleted or replaced,
  /// and only one of a text of up to two characters.
  func nearest(of names: [String]) -> String? {
    if !isEmpty, let name = names.first(where: { $0.hasPrefix(self) }) { return name }
    let candidates = names.map { (name: $0, distance: editDistance(to: $0)) }
    guard let best = candidates.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= Swift.min(2, (count + 1) / 2) ? best.name : nil
  }

  /// Returns the Levenshtein distance: the least number of inserted, deleted and replaced characters.
  private func editDistance(to other: String) -> Int {
    let target = Array(other)
    var distances = Array(0...target.count)
    for (row, character) in enumerated() {
      var diagonal = distances[0]
      distances[0] = row + 1
      for column in target.indices {
        let replaced = diagonal + (character == target[column] ? 0 : 1)
        diagonal = distances[column + 1]
        distances[column + 1] = Swift.min(replaced, diagonal + 1, distances[column] + 1)
      }
    }
    return distances[target.count]
  }
}
