extension Array {
  /// Returns the number of leading elements that satisfy `isBefore`, in an array that is partitioned by it:
  /// no element that satisfies it follows one that does not. O(log n).
  func countOfFirst(where isBefore: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
