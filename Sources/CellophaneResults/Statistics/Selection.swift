extension [Double] {
  /// Returns the value that sorting would put at `position`, and moves it there. No value before it is
  /// larger, and none after it is smaller (Hoare, "Algorithm 65: Find", CACM 1961). The array must not
  /// contain NaN. O(n) on average.
  ///
  /// - Parameter start: 0, or a smaller position that was selected before.
  mutating func select(_ position: Int, from start: Int = 0) -> Double {
    var (low, high) = (start, endIndex - 1)
    while low < high {
      let pivot = Swift.max(
        Swift.min(self[low], self[high]),
        Swift.min(Swift.max(self[low], self[high]), self[low + (high - low) / 2]))
      var (left, right) = (low, high)
      while left <= right {
        while self[left] < pivot { left += 1 }
        while pivot < self[right] { right -= 1 }
        guard left <= right else { break }
        swapAt(left, right)
        left += 1
        right -= 1
      }
      if position <= right {
        high = right
      } else if position >= left {
        low = left
      } else {
        break
      }
    }
    return self[position]
  }
}
