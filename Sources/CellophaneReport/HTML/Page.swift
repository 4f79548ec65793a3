/// A self-contained HTML page: no external image, font, style sheet or script.
struct Page: Sendable {
  let title: String
  /// The content of the `body` element.
  let body: Markup
  /// JSON text that the page contains for other programs.
  let data: String?
  /// JSON text with the recordings that the charts show, by the names of their runs; nil if ``data`` has them.
  var recordings: String?
  /// An additional style sheet for the drawings of the page.
  var style: Markup = ""

  var text: String {
    let data = [("result", data), ("recordings", recordings)].compactMap { id, json -> Markup? in
      json.map { #"<script type="application/json" id="\#(id)">\#(Self.inert($0))</script>"# }
    }.joined()
    let page: Markup = """
      <!DOCTYPE html>
      <html lang="en"><head><meta charset="utf-8"><title>\(title)</title>
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src '\(Markup(stringLiteral: Self.scriptHash))'">
      <style>\(Self.style)\(style)</style></head>
      <body>\(Self.patterns)
      \(body)
      \(data)<script>\(Self.script)</script>
      </body></html>

      """
    return page.text
  }

  /// Returns `json` with `<` as an escape sequence, so that no text in it can end the `script` element.
  private static func inert(_ json: String) -> Markup {
    var text = ""
    text.reserveCapacity(json.utf8.count)
    for scalar in json.unicodeScalars {
      if scalar == "<" { text += "\\u003C" } else { text.unicodeScalars.append(scalar) }
    }
    return Markup(stringLiteral: text)
  }

  /// The hatching patterns of the drawings.
  private static let patterns: Markup = """
    <svg width="0" height="0" aria-hidden="true" class="defs"><defs>
    <pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">\
    <rect class="hatch-ground" width="5" height="5"/><rect class="hatch-line" width="2" height="5"/></pattern>
    <pattern id="sparse" width="9" height="9" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">\
    <rect class="sparse-line" width="1" height="9"/></pattern>
    </defs></svg>
    """
}
