internal import CellophaneImages
internal import TestSupport
internal import Testing

@Suite struct CropTests {
  @Test(arguments: [
    (0, 0, 7, 5), (2, 1, 3, 3), (6, 4, 1, 1), (-2, -3, 4, 5), (5, 3, 100, 100), (-1, 2, Int.max, 1),
    (3, 0, Int.max, Int.max),
  ])
  func `a crop keeps the part of its box within the image`(x: Int, y: Int, width: Int, height: Int) throws {
    let image = try noise(7, 5, seed: 4, alphas: [0, 200, 255])
    let kept = (0..<5).map { row in
      (0..<7).filter { column in
        // Subtraction from a small number does not overflow.
        column >= x && row >= y && column - x < width && row - y < height
      }
    }
    let rows = kept.indices.filter { !kept[$0].isEmpty }
    let columns = try #require(rows.first.map { kept[$0] })
    let expected = try ProcessingReference.image(columns.count, rows.count) { image[columns[$0], rows[$1]] }
    #expect(try image.processed(by: [.crop(x: x, y: y, width: width, height: height)]) == expected)
  }

  @Test(arguments: [
    (7, 0, 1, 1), (0, 5, 1, 1), (-1, 0, 1, 1), (0, 0, 0, 4), (0, 0, 4, -1), (Int.max, 0, Int.max, 1),
    (Int.min, 0, Int.max, 1), (0, Int.min, 1, Int.min),
  ])
  func `a box without pixels is an error`(x: Int, y: Int, width: Int, height: Int) throws {
    let image = try noise(7, 5, seed: 4)
    let error = #expect(throws: LoadError.self) {
      try image.processed(by: [.crop(x: x, y: y, width: width, height: height)])
    }
    #expect(error?.kind == .invalidRequest)
    #expect(error?.message.contains("7x5") == true)
  }

  @Test(arguments: [(16, 9), (1, 1), (9, 16), (1, 100), (100, 1), (4, 3), (1_000_003, 999_983)])
  func `a crop to an aspect ratio is the largest`(_ ratio: (Int, Int)) throws {
    for (width, height) in [(31, 17), (30, 30), (1, 1), (1, 20), (20, 1), (5, 90)] {
      let image = try noise(width, height, seed: 4)
      let target = PixelSize(width: ratio.0, height: ratio.1)
      let result = try image.processed(by: [.crop(toAspectRatioOf: target)])
      // One side is kept, and the other is the nearest to the ratio.
      let isWide = Double(width) / Double(height) > Double(ratio.0) / Double(ratio.1)
      let exact =
        isWide ? Double(height * ratio.0) / Double(ratio.1) : Double(width * ratio.1) / Double(ratio.0)
      #expect(isWide ? result.height == height : result.width == width)
      #expect(abs(Double(isWide ? result.width : result.height) - max(exact, 1)) <= 0.5)
      let (x, y) = ((width - result.width) / 2, (height - result.height) / 2)
      let expected = try ProcessingReference.image(result.width, result.height) { image[x + $0, y + $1] }
      #expect(result == expected)
    }
  }

  @Test func `very large ratios keep their shape`() throws {
    let image = try noise(64, 40, seed: 4)
    for (ratio, size) in [
      ((Int.max, Int.max), (40, 40)), ((Int.max, Int.max / 4), (64, 16)), ((Int.max, 1), (64, 1)),
    ] {
      let target = PixelSize(width: ratio.0, height: ratio.1)
      let result = try image.processed(by: [.crop(toAspectRatioOf: target)])
      #expect(result.width == size.0 && result.height == size.1)
    }
  }

  @Test(arguments: [(0, 1), (1, 0), (-16, 9), (Int.min, Int.min)])
  func `a ratio that is not positive is an error`(_ ratio: (Int, Int)) throws {
    let target = PixelSize(width: ratio.0, height: ratio.1)
    let image = try noise(6, 4, seed: 4)
    let error = #expect(throws: LoadError.self) { try image.processed(by: [.crop(toAspectRatioOf: target)]) }
    #expect(error?.kind == .invalidRequest)
  }
}
