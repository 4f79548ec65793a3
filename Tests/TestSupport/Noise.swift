package import Cellophane

/// Returns an image of random pixels. `alphas` are the values of its alpha channel.
package func noise(
  _ width: Int, _ height: Int, seed: UInt64, alphas: [UInt8] = [255]
) throws(LoadError) -> Image {
  var numbers = SplitMix64(seed: seed)
  var pixels: [UInt8] = []
  for _ in 0..<width * height {
    let word = numbers.next()
    pixels += [UInt8(truncatingIfNeeded: word), UInt8(truncatingIfNeeded: word >> 8)]
    pixels += [UInt8(truncatingIfNeeded: word >> 16), alphas[Int(word >> 24 & 0xFFFF) % alphas.count]]
  }
  return try Image(width: width, height: height, pixels: pixels)
}
