internal import ArgumentParser
internal import CellophaneResults

/// Sizes of a cache, such as `1%,10%,50MB`.
struct CacheSizes: ExpressibleByArgument {
  let sizes: [CacheSize]

  init?(argument: String) {
    var sizes: [CacheSize] = []
    for word in argument.split(separator: ",", omittingEmptySubsequences: false) {
      if word.last == "%" {
        guard let percent = Double(word.dropLast()), percent > 0, percent <= 100 else { return nil }
        sizes.append(.share(percent / 100))
      } else {
        guard let count = ByteCount(argument: String(word)), count.bytes > 0 else { return nil }
        sizes.append(.bytes(count.bytes))
      }
    }
    // 100: a longer table is hard to read, and a long trace takes minutes.
    guard sizes.count <= 100 else { return nil }
    self.sizes = sizes
  }
}
