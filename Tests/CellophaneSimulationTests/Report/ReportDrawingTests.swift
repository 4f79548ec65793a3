internal import Foundation
internal import Testing

@testable internal import CellophaneSimulation

@Suite struct ReportStyleTests {
  /// The colours of a scheme, by name.
  private static func colours(dark: Bool) throws -> [String: String] {
    let parts = Page.style.text.split(separator: ":root{")
    let text = try #require(parts.dropFirst(dark ? 1 : 0).first).prefix { $0 != "}" }
    var colours: [String: String] = [:]
    for declaration in text.split(separator: ";") {
      let pair = declaration.split(separator: ":").map { $0.filter { !$0.isWhitespace } }
      if pair.count == 2, pair[1].hasPrefix("#") { colours[pair[0]] = String(pair[1].dropFirst()) }
    }
    return colours
  }

  /// The relative luminance (WCAG 2.2) of three or six hexadecimal digits.
  private static func luminance(_ colour: String) throws -> Double {
    let digits = colour.count == 3 ? colour.flatMap { [$0, $0] } : Array(colour)
    let channels = try [0, 2, 4].map { index in
      Double(try #require(Int(String(digits[index...index + 1]), radix: 16))) / 255
    }
    return luminance(channels)
  }

  /// The relative luminance (WCAG 2.2) of red, green and blue, each from 0 to 1.
  static func luminance(_ channels: [Double]) -> Double {
    let linear = channels.map { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
  }

  @Test(arguments: [false, true])
  func `text has a contrast of 4.5, and what is drawn one of 3, to its ground`(dark: Bool) throws {
    let colours = try Self.colours(dark: dark)
    func contrast(_ first: String, _ second: String) throws -> Double {
      let pair = try [first, second].map { try Self.luminance(try #require(colours["--" + $0], "\($0)")) }
        .sorted()
      return (pair[1] + 0.05) / (pair[0] + 0.05)
    }
    for text in ["ink", "muted", "accent"] {
      for ground in ["bg", "card"] { #expect(try contrast(text, ground) >= 4.5, "\(text) on \(ground)") }
    }
    for text in ["good", "bad"] { #expect(try contrast(text, "card") >= 4.5, "\(text)") }
    for drawn in ["shown", "blank", "fetch", "gone", "failed", "edge"] {
      #expect(try contrast(drawn, "bg") >= 3, "\(drawn)")
    }
  }

  /// From good to bad the colours of a heat map go one way in lightness too, so that they are in order in gray.
  @Test func `numbers can be read on every shade, and shades are in order`() throws {
    for (shades, isDarkening) in [(HeatShade.light, true), (HeatShade.dark, false)] {
      let grounds = try shades.map { try Self.luminance($0.ground) }
      let inOrder = isDarkening ? Array(grounds.sorted().reversed()) : grounds.sorted()
      #expect(grounds == inOrder && shades.count == HeatShade.count)
      for shade in shades {
        let pair = try [Self.luminance(shade.ground), Self.luminance(shade.ink)].sorted()
        #expect((pair[1] + 0.05) / (pair[0] + 0.05) >= 4.5, "\(shade)")
      }
    }
  }
}

@Suite struct ScaleTests {
  @Test(
    arguments: [
      (0.0, 100.0, 5, [0, 20, 40, 60, 80, 100]), (0, 1, 2, [0, 0.5, 1]), (3, 11, 4, [4, 6, 8, 10]),
      (0, 0, 4, []), (-10, 10, 4, [-10, -5, 0, 5, 10]),
    ] as [(Double, Double, Int, [Double])])
  func `round numbers`(low: Double, high: Double, count: Int, ticks: [Double]) {
    #expect(Scale(low...high, to: 0, 1).ticks(about: count).filter { $0 > 1e-6 || low < high } == ticks)
  }

  @Test(
    arguments: [
      (10.0, 1_000.0, 8, [10, 20, 50, 100, 200, 500, 1_000]), (1, 1e6, 4, [1, 10, 100, 1e3, 1e4, 1e5, 1e6]),
    ] as [(Double, Double, Int, [Double])])
  func `round factors`(low: Double, high: Double, count: Int, ticks: [Double]) {
    let found = Scale(low...high, to: 0, 1, kind: .logarithmic).ticks(about: count)
    #expect(found.count == ticks.count && zip(found, ticks).allSatisfy { abs($0 / $1 - 1) < 1e-9 })
  }

  @Test func `places, turned and not, and none outside`() {
    let scale = Scale(0...10, to: 100, 0)
    #expect([0, 5, 10, -5, 50].map { scale($0) } == [100, 50, 0, 100, 0])
    let factors = Scale(1...100, to: 0, 2, kind: .logarithmic)
    #expect([1.0, 10, 100, 0].map { factors($0) } == [0, 1, 2, 0])
  }

  @Test(arguments: [
    (0.0, "0"), (1.25, "1.3"), (-0.04, "0"), (-12.34, "-12.3"), (100, "100"), (.nan, "0"), (.infinity, "0"),
    (1e300, "0"),
  ])
  func `numbers of a drawing`(value: Double, text: String) { #expect(Markup.number(value) == text) }
}
