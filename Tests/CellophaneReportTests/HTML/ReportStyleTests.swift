internal import Foundation
internal import Testing

@testable internal import CellophaneReport
@testable internal import CellophaneResults

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

@Suite struct MarkupNumberTests {
  @Test(arguments: [
    (0.0, "0"), (1.25, "1.3"), (-0.04, "0"), (-12.34, "-12.3"), (100, "100"), (.nan, "0"), (.infinity, "0"),
    (1e300, "0"),
  ])
  func `numbers in markup have at most one decimal`(value: Double, text: String) {
    #expect(Markup.number(value) == text)
  }
}
