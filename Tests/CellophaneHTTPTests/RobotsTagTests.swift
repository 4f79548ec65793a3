internal import CellophaneHTTP
internal import Testing

@Suite("Opt-outs in X-Robots-Tag")
struct RobotsTagTests {
  @Test(
    "a directive opts out for all robots, or for the named one",
    arguments: [
      ([], nil), (["index"], nil), (["noindex"], "noindex"), (["NoAI"], "noai"),
      ([" noimageai "], "noimageai"),
      (["nofollow, noimageindex"], "noimageindex"), (["nofollow", "noai"], "noai"), (["none"], "none"),
      (["nofollow, noarchive, nosnippet"], nil), (["xnoai, noaix"], nil),
      (["googlebot: noindex"], nil), (["cellophane: noindex"], "noindex"), (["Cellophane : noai"], "noai"),
      (["*: noai"], "noai"), (["googlebot: nofollow, noindex"], nil),
      (["googlebot: nofollow, cellophane: noindex"], "noindex"),
      (["cellophane: nofollow, googlebot: noindex"], nil), (["googlebot: noindex", "noai"], "noai"),
      (["googlebot: noindex, noai", "nofollow"], nil), (["max-snippet: 5, noai"], "noai"),
      (["googlebot: max-snippet: 5, noai"], nil), (["max-image-preview:none"], nil),
      (["unavailable_after: 25 Jun 2010 15:00:00 PST, noindex"], "noindex"),
      (["unavailable_after: Fri, 25 Jun 2010 15:00:00 PST, noindex"], "noindex"),
      (["", ",", ":", ":,:", "::noai", "a:b:noai"], nil),
    ] as [([String], String?)])
  func directives(values: [String], expected: String?) {
    var headers: HeaderFields = ["other": "noai"]
    for value in values { headers.append("X-Robots-Tag", value) }
    #expect(RobotsTag.optOut(in: headers, for: "cellophane") == expected)
  }
}
