extension Array {
  /// The number of elements from the first on that are `before` something, of an array in which none of them comes behind
  /// one that is not. O(log n).
  func countOfFirst(where isBefore: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
