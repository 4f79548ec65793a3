internal import Foundation
internal import Testing

@testable internal import CellophaneSimulation

@Suite struct ReportStyleTests {
  /// Returns the colors of the light or the dark scheme, by name.
  private static func colors(dark: Bool) throws -> [String: String] {
    let parts = Page.style.text.split(separator: ":root{")
    let text = try #require(parts.dropFirst(dark ? 1 : 0).first).prefix { $0 != "}" }
    var colors: [String: String] = [:]
    for declaration in text.split(separator: ";") {
      let pair = declaration.split(separator: ":").map { $0.filter { !$0.isWhitespace } }
      if pair.count == 2, pair[1].hasPrefix("#") { colors[pair[0]] = String(pair[1].dropFirst()) }
    }
    return colors
  }

  /// Returns the relative luminance (WCAG 2.2) of three or six hexadecimal digits.
  private static func luminance(_ color: String) throws -> Double {
    let digits = color.count == 3 ? color.flatMap { [$0, $0] } : Array(color)
    let channels = try [0, 2, 4].map { index in
      Double(try #require(Int(String(digits[index...index + 1]), radix: 16))) / 255
    }
    return luminance(channels)
  }

  /// Returns the relative luminance (WCAG 2.2) of red, green and blue, each from 0 to 1.
  static func luminance(_ channels: [Double]) -> Double {
    let linear = channels.map { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
  }

  @Test(arguments: [false, true])
  func `text has a contrast of 4.5 to its background, and shapes have one of 3`(dark: Bool) throws {
    let colors = try Self.colors(dark: dark)
    func contrast(_ first: String, _ second: String) throws -> Double {
      let pair = try [first, second].map { try Self.luminance(try #require(colors["--" + $0], "\($0)")) }
        .sorted()
      return (pair[1] + 0.05) / (pair[0] + 0.05)
    }
    for text in ["ink", "muted", "accent"] {
      for background in ["bg", "card"] {
        #expect(try contrast(text, background) >= 4.5, "\(text) on \(background)")
      }
    }
    for text in ["good", "bad"] { #expect(try contrast(text, "card") >= 4.5, "\(text)") }
    for shape in ["shown", "blank", "fetch", "gone", "failed", "edge"] {
      #expect(try contrast(shape, "bg") >= 3, "\(shape)")
    }
  }

  /// The luminance of the shades changes monotonically from good to bad, so their order is visible in gray too.
  @Test func `numbers are readable on every shade, and the shades are ordered by luminance`() throws {
    for (shades, isDarkening) in [(HeatShade.light, true), (HeatShade.dark, false)] {
      let luminances = try shades.map { try Self.luminance($0.ground) }
      let inOrder = isDarkening ? Array(luminances.sorted().reversed()) : luminances.sorted()
      #expect(luminances == inOrder && shades.count == HeatShade.count)
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
  func `linear ticks are round numbers`(low: Double, high: Double, count: Int, ticks: [Double]) {
    #expect(Scale(low...high, to: 0, 1).ticks(about: count).filter { $0 > 1e-6 || low < high } == ticks)
  }

  @Test(
    arguments: [
      (10.0, 1_000.0, 8, [10, 20, 50, 100, 200, 500, 1_000]), (1, 1e6, 4, [1, 10, 100, 1e3, 1e4, 1e5, 1e6]),
    ] as [(Double, Double, Int, [Double])])
  func `logarithmic ticks are round numbers`(low: Double, high: Double, count: Int, ticks: [Double]) {
    let found = Scale(low...high, to: 0, 1, kind: .logarithmic).ticks(about: count)
    #expect(found.count == ticks.count && zip(found, ticks).allSatisfy { abs($0 / $1 - 1) < 1e-9 })
  }

  @Test func `positions follow the values, also in reverse, and stay within the range`() {
    let scale = Scale(0...10, to: 100, 0)
    #expect([0, 5, 10, -5, 50].map { scale($0) } == [100, 50, 0, 100, 0])
    let logarithmic = Scale(1...100, to: 0, 2, kind: .logarithmic)
    #expect([1.0, 10, 100, 0].map { logarithmic($0) } == [0, 1, 2, 0])
  }

  @Test(arguments: [
    (0.0, "0"), (1.25, "1.3"), (-0.04, "0"), (-12.34, "-12.3"), (100, "100"), (.nan, "0"), (.infinity, "0"),
    (1e300, "0"),
  ])
  func `numbers in markup have at most one decimal`(value: Double, text: String) {
    #expect(Markup.number(value) == text)
  }
}
