internal import Cellophane

/// The predefined kinds of lists. Lengths are in px for the phone that Lighthouse emulates, 412 × 823. All
/// sizes are assumed, based on common apps.
public enum ListKind: String, Sendable, Hashable, CaseIterable {
  /// A thumbnail and three lines of text per row.
  case rows
  /// A small thumbnail and a line of text per row: rows of 72 px, files of 96 x 96.
  case thumbnails
  /// A feed of large images: rows of 420 px, files of 1080 x 1080.
  case cards
  /// Three images side by side.
  case grid
  /// A feed of images with different heights.
  case mixed
  /// ``rows`` in sections with headings.
  case sections

  /// The sizes of a kind of list.
  struct Sizes {
    var columns = 1
    let rowHeight: Int
    let picture: PixelSize
    let image: PixelSize
    var heightSigma: Double?
    var section: ListLayout.Section?

    init(_ rowHeight: Int, picture: (Int, Int), image: (Int, Int)) {
      self.rowHeight = rowHeight
      self.picture = PixelSize(width: picture.0, height: picture.1)
      self.image = PixelSize(width: image.0, height: image.1)
    }
  }

  /// Sections of ten rows with a heading of one line.
  static let section = ListLayout.Section(rows: 10, header: 40)

  /// The sizes of this kind.
  var sizes: Sizes {
    // 120: a thumbnail and three lines of text. 320: about three times the shown size, as for a dense screen.
    var sizes = Sizes(120, picture: (112, 112), image: (320, 320))
    switch self {
    case .rows: break
    case .thumbnails: sizes = Sizes(72, picture: (56, 56), image: (96, 96))
    case .cards: sizes = Sizes(420, picture: (412, 412), image: (1080, 1080))
    case .grid:
      // A third of the width minus gaps of 2 px.
      sizes = Sizes(137, picture: (135, 135), image: (320, 320))
      sizes.columns = 3
    case .mixed:
      // An image as wide as the screen with text below it; most images are 300 to 600 px high.
      sizes = Sizes(400, picture: (412, 300), image: (824, 600))
      sizes.heightSigma = 0.35
    case .sections: sizes.section = Self.section
    }
    return sizes
  }
}
