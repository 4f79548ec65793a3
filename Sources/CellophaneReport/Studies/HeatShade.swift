/// A color of the heat maps of a page.
///
/// The best color is a pale blue, the worst a deep orange. Their lightness falls in the same order, so that
/// the order is visible in gray and for every kind of color vision. On a dark page the lightness rises.
struct HeatShade: Sendable {
  /// The background color and the text color, as hexadecimal digits.
  let ground, ink: String

  private init(_ ground: String, _ ink: String) { (self.ground, self.ink) = (ground, ink) }

  static let light = [
    HeatShade("dcebfd", "171a21"), HeatShade("eee6d6", "171a21"), HeatShade("fad7a8", "171a21"),
    HeatShade("f9ba78", "171a21"), HeatShade("f0944a", "171a21"), HeatShade("db6d22", "171a21"),
    HeatShade("a63e00", "ffffff"),
  ]
  static let dark = [
    HeatShade("14273f", "e9ecf2"), HeatShade("2f3138", "e9ecf2"), HeatShade("4d3722", "e9ecf2"),
    HeatShade("6b431b", "e9ecf2"), HeatShade("8c5216", "ffffff"), HeatShade("cc7a2a", "101318"),
    HeatShade("ffae6b", "101318"),
  ]

  /// The number of shades.
  static let count = light.count

  /// The style sheet of the shades.
  static let style: Markup = {
    func declared(_ shades: [HeatShade]) -> String {
      shades.enumerated().map { "--heat-\($0):#\($1.ground);--on-heat-\($0):#\($1.ink)" }
        .joined(separator: ";")
    }
    let rules = (0..<count).map {
      "svg .heat-\($0){fill:var(--heat-\($0))}svg .on-heat-\($0){fill:var(--on-heat-\($0))}"
        + "svg .rim-heat-\($0){stroke:var(--on-heat-\($0))}"
    }
    return Markup(
      stringLiteral: """
        :root{\(declared(light))}
        @media screen and (prefers-color-scheme:dark){:root{\(declared(dark))}}
        \(rules.joined())
        """)
  }()
}
