/// A rectangle in a drawing.
struct Box: Sendable {
  let left, top, width, height: Double

  var right: Double { left + width }
  var bottom: Double { top + height }
}

/// A framed part of a drawing with a horizontal and a vertical scale.
struct Plot: Sendable {
  let box: Box
  let x, y: Scale

  /// Creates a plot in `box`. The values of `y` grow upwards, or downwards if `isInverted`.
  init(
    _ box: Box, x: ClosedRange<Double>, y: ClosedRange<Double>, xKind: Scale.Kind = .linear,
    isInverted: Bool = false
  ) {
    self.box = box
    self.x = Scale(x, to: box.left, box.right, kind: xKind)
    self.y = isInverted ? Scale(y, to: box.top, box.bottom) : Scale(y, to: box.bottom, box.top)
  }

  /// The frame of the plot.
  var ground: Markup {
    #"<rect class="ground" x="\#(box.left)" y="\#(box.top)" width="\#(box.width)" height="\#(box.height)"/>"#
  }

  /// Returns horizontal grid lines at round numbers, with labels at the left.
  func rows(about count: Int, _ name: (Double) -> String) -> Markup {
    rows(at: y.ticks(about: count), name)
  }

  /// Returns horizontal grid lines at `ticks`, with labels at the left.
  func rows(at ticks: [Double], _ name: (Double) -> String) -> Markup {
    rows(at: ticks.map { ($0, name($0)) })
  }

  /// Returns horizontal grid lines, each with its label at the left.
  func rows(at ticks: [(Double, String)]) -> Markup {
    ticks.map { tick, name -> Markup in
      #"<path class="grid" d="M\#(box.left) \#(y(tick))h\#(box.width)"/>"#
        + #"<text class="tick end" x="\#(box.left - 8)" y="\#(y(tick) + 4)">\#(name)</text>"#
    }.joined()
  }

  /// Returns vertical grid lines at round numbers, with labels below unless `name` is nil.
  func columns(about count: Int, _ name: ((Double) -> String)?) -> Markup {
    x.ticks(about: count).map { tick -> Markup in
      let line: Markup = #"<path class="grid" d="M\#(x(tick)) \#(box.top)v\#(box.height)"/>"#
      guard let name else { return line }
      return line
        + #"<text class="tick middle" x="\#(x(tick))" y="\#(box.bottom + 18)">\#(name(tick))</text>"#
    }.joined()
  }

  /// Returns the grid lines and labels of a time axis in s. The script of a page replaces them in a zoomed drawing.
  func seconds(withLabels: Bool = true) -> Markup {
    let name: ((Double) -> String)? = withLabels ? { Quantity.short($0) + " s" } : nil
    return #"<g class="ticks">\#(columns(about: 6, name))</g>"#
  }

  /// Returns `content` clipped to the plot. The script of a page scales it in a zoomed drawing.
  ///
  /// - Parameter id: An identifier of the clip path that is unique in the page.
  func zooming(_ content: Markup, id: String) -> Markup {
    #"<clipPath id="\#(id)">\#(ground)</clipPath><g clip-path="url(#\#(id))"><g class="zoom">\#(content)</g></g>"#
  }

  /// Returns the title of the vertical axis.
  func title(left text: String) -> Markup {
    #"<text class="axis" x="\#(max(0, box.left - 52))" y="\#(box.top - 12)">\#(text)</text>"#
  }

  /// Returns the title of the horizontal axis.
  func title(below text: String) -> Markup {
    #"<text class="axis end" x="\#(box.right)" y="\#(box.bottom + 34)">\#(text)</text>"#
  }
}

/// The commands of an SVG path, with coordinates rounded to a tenth of a pixel.
struct Path: Sendable {
  private(set) var commands = ""

  var isEmpty: Bool { commands.isEmpty }

  mutating func move(_ x: Double, _ y: Double) { add("M", x, y) }
  mutating func line(_ x: Double, _ y: Double) { add("L", x, y) }
  mutating func close() { commands += "Z" }

  /// Appends a rectangle unless it is empty.
  mutating func rectangle(_ left: Double, _ top: Double, _ right: Double, _ bottom: Double) {
    guard right > left, bottom > top else { return }
    add("M", left, top)
    // Relative commands take fewer digits. Rounding both edges makes adjacent rectangles meet exactly.
    let width = Markup.number(Self.rounded(right) - Self.rounded(left))
    let height = Markup.number(Self.rounded(bottom) - Self.rounded(top))
    commands += "h" + width + "v" + height + "h-" + width + "z"
  }

  private static func rounded(_ coordinate: Double) -> Double { (coordinate * 10).rounded() / 10 }

  private mutating func add(_ command: String, _ x: Double, _ y: Double) {
    commands += command + Markup.number(x) + " " + Markup.number(y)
  }

  /// Returns the path as an element with the CSS class `name`; empty markup for an empty path.
  func element(_ name: String) -> Markup {
    isEmpty ? "" : #"<path class="\#(name)" d="\#(Markup(stringLiteral: commands))"/>"#
  }
}
