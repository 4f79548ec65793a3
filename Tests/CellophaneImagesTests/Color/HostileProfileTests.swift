internal import CellophaneImages
internal import TestSupport
internal import Testing

@Suite struct HostileProfileTests {
  private let png: [UInt8]
  private let jpeg: [UInt8]

  init() throws {
    let image = try noise(5, 3, seed: 4)
    (png, jpeg) = (try image.encoded(as: .png), try image.encoded(as: .jpeg()))
  }

  private func profile(_ bytes: [UInt8]) throws -> ColorProfile { try ImageDecoder().colorProfile(of: bytes) }

  @Test func `a profile is decompressed within its limit`() throws {
    let name: [UInt8] = Array("a".utf8) + [0, 0]
    // 16 000 times 258 bytes are below the limit of 4 MB, 17 000 times exceed it. Neither is a profile.
    for runs in [16_000, 17_000, 4_000_000 / 13] {
      let bomb = colored(png: png, [("iCCP", name + zlibBomb(runs: runs))])
      #expect(try profile(bomb).source == .none)
    }
    // A profile of 3 MB, the size of a profile of a printing press. Most of it is padding.
    let large = ICCWriter.rgb(KnownColors.p3, KnownColors.sRGBCurve).bytes
    #expect(
      try profile(colored(png: png, [("iCCP", iccp(large + Array(repeating: 0, count: 3 << 20)))])).name
        == "Display P3")
    #expect(
      try profile(colored(png: png, [("iCCP", iccp(large + Array(repeating: 0, count: 4 << 20)))])).source
        == .none)
  }

  @Test(arguments: ColorReference.all)
  func `a damaged profile neither crashes nor fails a decoding`(_ reference: ColorReference) throws {
    for seed in 1...60 as ClosedRange<UInt64> {
      var numbers = SplitMix64(seed: seed)
      var icc = reference.profile
      for _ in 0...seed % 8 {
        icc[Int.random(in: 0..<min(icc.count, 700), using: &numbers)] =
          [0, 0xFF, 0x80, UInt8(seed)].randomElement(using: &numbers) ?? 0
      }
      if seed % 5 == 0 { icc.removeLast(Int.random(in: 0..<icc.count, using: &numbers)) }
      let inPNG = colored(png: png, [("iCCP", iccp(icc))])
      let found = try profile(inPNG)
      #expect(try found == profile(inPNG) && found.name.count <= 80, "seed \(seed)")
      var blocks = colored(jpeg: jpeg, app2(icc, size: 99))
      #expect(try profile(blocks).name == found.name, "seed \(seed)")
      blocks[Int.random(in: 2..<200, using: &numbers)] ^= 0x55
      _ = try? profile(blocks)
      #expect(
        try ImageDecoder().decode(inPNG, options: ImageOptions()).pixels == noise(5, 3, seed: 4).pixels,
        "seed \(seed)")
    }
  }
}
