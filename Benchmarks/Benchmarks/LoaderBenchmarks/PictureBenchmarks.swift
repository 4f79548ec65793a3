import Benchmark
import Cellophane

/// Decoding of pictures with the detail of photographs.
func pictureBenchmarks() {
  // 2.4 Mpx: what photo services send to a large screen.
  Benchmark("JPEG 2.4 Mpx, whole") { benchmark, file in
    for _ in benchmark.scaledIterations {
      blackHole(try ImageDecoder().decode(file, options: ImageOptions()))
    }
  } setup: {
    try picture(width: 1_920, height: 1_250).encoded(as: .jpeg(quality: 85))
  }

  Benchmark("JPEG 2.4 Mpx, thumbnail of 256") { benchmark, file in
    for _ in benchmark.scaledIterations { blackHole(try ImageDecoder().decode(file, options: thumbnail)) }
  } setup: {
    try picture(width: 1_920, height: 1_250).encoded(as: .jpeg(quality: 85))
  }

  Benchmark("PNG 2.4 Mpx, whole") { benchmark, file in
    for _ in benchmark.scaledIterations {
      blackHole(try ImageDecoder().decode(file, options: ImageOptions()))
    }
  } setup: {
    try picture(width: 1_920, height: 1_250).encoded(as: .png)
  }

  Benchmark("PNG 2.4 Mpx, thumbnail of 256") { benchmark, file in
    for _ in benchmark.scaledIterations { blackHole(try ImageDecoder().decode(file, options: thumbnail)) }
  } setup: {
    try picture(width: 1_920, height: 1_250).encoded(as: .png)
  }
}

private let thumbnail = ImageOptions(targetSize: PixelSize(width: 256, height: 256))

/// Gradients with noise: smooth places and detail in about the proportion of a photograph.
private func picture(width: Int, height: Int) throws -> Image {
  var state: UInt32 = 1
  var pixels: [UInt8] = []
  pixels.reserveCapacity(width * height * 4)
  for y in 0..<height {
    for x in 0..<width {
      state = state &* 1_664_525 &+ 1_013_904_223
      let noise = Int(state >> 29)
      pixels.append(UInt8(clamping: x * 200 / width + noise))
      pixels.append(UInt8(clamping: y * 200 / height + noise))
      pixels.append(UInt8(clamping: (x + y) * 200 / (width + height) + noise))
      pixels.append(255)
    }
  }
  return try Image(width: width, height: height, pixels: pixels)
}
