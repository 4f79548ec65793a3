extension [Double] {
  /// The value that would be at `place` if they were sorted; moves it there, with none that is larger before it and none
  /// that is smaller behind it (Hoare, "Algorithm 65: Find", CACM 1961). None may be not a number. O(n) in the mean.
  ///
  /// - Parameter start: An earlier place that was selected before, or 0.
  mutating func select(_ place: Int, from start: Int = 0) -> Double {
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
      if place <= right {
        high = right
      } else if place >= left {
        low = left
      } else {
        break
      }
    }
    return self[place]
  }
}
