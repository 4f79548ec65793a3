internal import CellophaneImages
internal import TestSupport
internal import Testing

/// Compares placeholders and their pictures with independent programs.
@Suite struct PlaceholderReferenceTests {
  @Test func `there are references for both formats`() {
    #expect(PlaceholderReference.all.count == 24)
    #expect(PlaceholderReferences.shared.thumbHashes.count == 6)
    #expect(PlaceholderReference.all.count { $0.blurHash != nil } == 17)
    #expect(PlaceholderReference.all.count { $0.thumbHash.isExact == true } == 10)
  }

  @Test func `a cancelled task gets no placeholder`() async throws {
    let image = try noise(200, 150, seed: 1)
    let task = Task {
      unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() }
      return (
        Result { () throws(LoadError) in try ThumbHash(encoding: image) },
        Result { () throws(LoadError) in try BlurHash(encoding: image) }
      )
    }
    #expect(await task.value == (.failure(.cancelled), .failure(.cancelled)))
  }

  @Test(arguments: PlaceholderReference.all)
  func `the bytes of a ThumbHash are those of the reference`(reference: PlaceholderReference) throws {
    let encoded = try ThumbHash(encoding: try reference.image)
    let expected = Array(reference.thumbHash.hash)
    if reference.thumbHash.isExact == true {
      #expect(encoded.bytes == expected)
      return
    }
    // Some coefficients are between two levels, and those of uniform channels are arbitrary.
    #expect(encoded.bytes.count == expected.count)
    let headerBytes = expected[2] & 0x80 == 0 ? 5 : 6
    #expect(encoded.bytes.prefix(headerBytes) == expected.prefix(headerBytes))
    let pictures = (encoded.image(), try ThumbHash(expected).image())
    #expect(largestDifference(pictures.0.pixels, pictures.1.pixels) <= 40)
  }

  @Test(arguments: PlaceholderReference.all.map(\.thumbHash) + PlaceholderReferences.shared.thumbHashes)
  func `a ThumbHash decodes like the reference`(expected: PlaceholderReference.Picture) throws {
    let size = PixelSize(width: expected.width, height: expected.height)
    let image = try ThumbHash(Array(expected.hash)).image(size: size)
    #expect(image.width == size.width && image.height == size.height)
    #expect(image.pixels.count == expected.pixels.count)
    #expect(largestDifference(image.pixels, expected.pixels) <= 1)
  }

  @Test(arguments: PlaceholderReference.all.filter { $0.blurHash != nil })
  func `the text of a BlurHash is that of the reference`(reference: PlaceholderReference) throws {
    let expected = try #require(reference.blurHash)
    let encoded = try BlurHash(encoding: try reference.image, components: (expected.x, expected.y))
    #expect(encoded.string == expected.hash)
    #expect(encoded.components == (expected.x, expected.y))
  }

  @Test(arguments: PlaceholderReference.all.filter { $0.blurHash != nil })
  func `a BlurHash decodes like the reference`(reference: PlaceholderReference) throws {
    let expected = try #require(reference.blurHash)
    let size = PixelSize(width: expected.width, height: expected.height)
    let image = try BlurHash(expected.hash).image(size: size, punch: expected.punch)
    #expect(image.isOpaque)
    let colors = image.pixels.enumerated().filter { $0.offset % 4 != 3 }.map(\.element)
    #expect(colors.count == expected.pixels.count)
    #expect(largestDifference(colors, expected.pixels) <= 1)
  }
}
