internal import Cellophane

/// The kinds of lists that can be taken as they are. Lengths in px, for the phone that Lighthouse emulates, 412 × 823;
/// all assumed, after what apps show.
public enum ListKind: String, Sendable, Hashable, CaseIterable {
  /// A thumbnail and three lines of text.
  case rows
  /// A small picture beside a line of text: 72 px a row, files of 96 x 96.
  case thumbnails
  /// A feed of large pictures: 420 px a row, files of 1080 x 1080.
  case cards
  /// Three pictures side by side.
  case grid
  /// A feed of pictures of different heights.
  case mixed
  /// ``rows`` under headings.
  case sections

  /// What a kind of list has for every row.
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

  /// Ten rows under a heading of one line.
  static let section = ListLayout.Section(rows: 10, header: 40)

  /// The sizes of this kind.
  var sizes: Sizes {
    // 120: a thumbnail and three lines of text. 320: three times what is shown, as for a dense screen.
    var sizes = Sizes(120, picture: (112, 112), image: (320, 320))
    switch self {
    case .rows: break
    case .thumbnails: sizes = Sizes(72, picture: (56, 56), image: (96, 96))
    case .cards: sizes = Sizes(420, picture: (412, 412), image: (1080, 1080))
    case .grid:
      // A third of the width, 2 px between two.
      sizes = Sizes(137, picture: (135, 135), image: (320, 320))
      sizes.columns = 3
    case .mixed:
      // A picture as wide as the screen and text below, 300 to 600 px where most are.
      sizes = Sizes(400, picture: (412, 300), image: (824, 600))
      sizes.heightSigma = 0.35
    case .sections: sizes.section = Self.section
    }
    return sizes
  }
}
