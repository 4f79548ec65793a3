public import Cellophane

extension SimulationConfiguration {
  /// The rows and their images. Lengths are in px.
  public struct List: Sendable, Hashable, Codable {
    /// The source of the images.
    package enum Pictures: Sendable, Hashable {
      /// Generated images, which contain their own number.
      case generated
      /// The user's images in real time, one URL per row. Local files are allowed if `allowsFiles`.
      case own([String], allowsFiles: Bool)
      /// Modeled images in virtual time, with the sizes of a list file.
      case listed(RowList)
    }

    /// The kind of list. A new value sets the sizes below to those of the kind.
    public var layout: ListKind { didSet { take(layout.sizes) } }
    /// The number of rows, limited by the number of URLs.
    public var rows = 1_000
    /// The number of rows that lie side by side.
    public var columns = 1
    /// The height of a row.
    public var rowHeight = 0
    /// The size at which a row shows its image.
    public var picture = PixelSize(width: 0, height: 0)
    /// The size of the generated image files, in their own pixels at every ``Viewport/density``.
    public var image = PixelSize(width: 0, height: 0)
    /// The standard deviation of the logarithm of the image heights around those of ``picture`` and
    /// ``image``. The height of a row changes with its image. Nil if all are equal.
    package var heightSigma: Double?
    /// The height of each row; nil if ``rowHeight`` and ``heightSigma`` determine it. Not encoded: it is part
    /// of a list file.
    package private(set) var heights: [Int]?
    /// The division into sections; nil for none.
    package var section: ListLayout.Section?
    /// The repetition of images; nil if each row has its own.
    package var repeated: RepeatedPictures?
    /// The sizes of the generated files in virtual time.
    package var bytes = FileSizes.generated
    /// The share of the generated JPEG files that are progressive, 0...1. The beginning of a progressive file
    /// shows the image coarsely; that of another file shows its first rows. In virtual time only.
    public var progressive = 0.0
    /// The share of the generated images that are animations, 0...1. Their files are larger, and the cells of Cellophane
    /// play them. In virtual time only.
    public var animated = 0.0
    /// The source of the images.
    package var pictures = Pictures.generated
    /// The mean size of the generated files that the first replica can load, in bytes; nil in a configuration that was not played.
    package internal(set) var meanBytes: Int?

    /// Creates a list of a kind.
    public init(layout: ListKind = .rows) {
      self.layout = layout
      take(layout.sizes)
    }

    /// The accepted sides of generated images, in pixels. A cell of the row code needs a pixel, and all
    /// images are generated before the run.
    package static let imageSides = 16...2048
    /// The accepted standard deviations of heights. At 1, about half of the heights reach a limit of the
    /// range.
    package static let heightSigmas = 0.0...1.0

    /// Uses the rows of `list`: as modeled images in virtual time, as the user's images in real time.
    ///
    /// - Parameter allowsFiles: True to allow local files.
    package mutating func take(_ list: RowList, in time: Time, allowsFiles: Bool = false) {
      pictures = time == .virtual ? .listed(list) : .own(list.urls, allowsFiles: allowsFiles)
      heights = list.heights
      heightSigma = nil
      rows = list.urls.count
    }

    private mutating func take(_ sizes: ListKind.Sizes) {
      (columns, rowHeight, picture, image) = (sizes.columns, sizes.rowHeight, sizes.picture, sizes.image)
      (heightSigma, section) = (sizes.heightSigma, sizes.section)
    }

    /// True for the user's images.
    package var isOwn: Bool { if case .own = pictures { true } else { false } }

    /// The rows of a list file that modeled images represent; nil if absent.
    var listed: RowList? { if case .listed(let list) = pictures { list } else { nil } }

    /// Returns the list with each length on the screen converted by `scaled`.
    func scaled(_ scaled: (Int) -> Int) -> List {
      var list = self
      list.rowHeight = scaled(rowHeight)
      list.picture = PixelSize(width: scaled(picture.width), height: scaled(picture.height))
      if let section { list.section = ListLayout.Section(rows: section.rows, header: scaled(section.header)) }
      list.heights = heights?.map(scaled)
      return list
    }

    func check(in time: Time, _ decoding: Decoding.Mode, density: Double) throws(LoadError) {
      if let heightSigma {
        try ScenarioField.check(heightSigma, "list.height_sigma", within: Self.heightSigmas)
      }
      try ScenarioField.check(animated, "list.animated", within: 0...1)
      if animated > 0, time == .real || decoding == .real {
        throw ScenarioField.error(
          "list.animated", "files with pixels are not animated; use virtual time and the decoding mode model")
      }
      try ScenarioField.check(progressive, "list.progressive", within: 0...1)
      if progressive > 0, time == .real || decoding == .real {
        throw ScenarioField.error(
          "list.progressive",
          "files with pixels are not progressive; use virtual time and the decoding mode model")
      }
      switch pictures {
      case .own(let urls, _):
        if urls.isEmpty { throw LoadError(.invalidRequest, "the list of URLs is empty") }
        if time == .virtual {
          throw LoadError(
            .invalidRequest,
            "the images of a URL list load in real time only; use --time real, or a list with heights")
        }
        if repeated != nil {
          throw ScenarioField.error(
            "list.repeat", "applies to generated images only; repeat URLs in the list")
        }
      case .listed(let list):
        if list.urls.isEmpty {
          throw ScenarioField.error(
            "list.pictures", "the rows are in a list file; pass it with --urls")
        }
        guard time == .virtual, decoding == .model else {
          throw ScenarioField.error(
            "list.pictures",
            "the images of a list file are modeled; use virtual time and the decoding mode model")
        }
        if repeated != nil {
          throw ScenarioField.error(
            "list.repeat", "applies to generated images only; repeat URLs in the list")
        }
        try bytes.check(havePixels: false)
        try ScenarioField.check(image.width, "list.image[0]", within: Self.imageSides)
        try ScenarioField.check(image.height, "list.image[1]", within: Self.imageSides)
      case .generated:
        try repeated?.check()
        try bytes.check(havePixels: time == .real || decoding == .real)
        try checkSizes(density: density)
      }
    }

    private func checkSizes(density: Double) throws(LoadError) {
      try ScenarioField.check(image.width, "list.image[0]", within: Self.imageSides)
      try ScenarioField.check(image.height, "list.image[1]", within: Self.imageSides)
      guard picture.width > 0, picture.height > 0 else { return }
      // An image at the minimum height, half of the others', must be identifiable by its pixels too.
      let least = heightSigma == nil ? 1 : 2
      let lowest = PixelSize(width: image.width, height: max(1, image.height / least))
      let frame = PixelSize(width: picture.width, height: max(1, picture.height / least))
      let fitted = lowest.fitted(into: frame.pixels(at: density))
      guard CodeArea(width: fitted.width, height: fitted.height).isReadable else {
        throw ScenarioField.error(
          "list.picture",
          "generated images of \(image.width)x\(image.height), shown at \(picture.width)x\(picture.height),"
            + " are too small for their row numbers; show them with at least 16 px per side"
            + (least > 1 ? " at half of their height" : ""))
      }
    }

    /// Returns the layout of the list in `viewport`, with heights drawn by `seed`.
    func layout(in viewport: Viewport, seed: UInt64) throws(LoadError) -> ListLayout {
      var rows = rows
      if case .own(let urls, _) = pictures { rows = min(rows, urls.count) }
      if let listed { rows = min(rows, listed.urls.count) }
      var heights: [Int]?
      if let own = self.heights {
        let margin = rowHeight - picture.height
        heights = own.prefix(rows).map { $0 - margin }
        if let low = heights?.firstIndex(where: { $0 < 1 }) {
          throw ScenarioField.error(
            "list.row_height_px",
            "row \(low + 1) of the list is \(own[low]) px high; it needs more than the \(margin) px around an image"
          )
        }
      } else if heightSigma != nil {
        try ScenarioField.check(rows, "list.rows", within: ListLayout.placedRowCounts)
        let contents = ListContents(self, seed: seed)
        heights = (0..<rows).map { contents.shownHeight(of: contents.picture(of: $0)) }
      }
      return try ListLayout(
        rows: rows, rowHeight: rowHeight, picture: picture, columns: columns, section: section,
        pictureHeights: heights, viewport: viewport.size, density: viewport.density)
    }

    /// Returns the list as a result contains it.
    func completed(rows: Int, meanBytes: Int?) -> List {
      var list = self
      list.rows = rows
      list.meanBytes = meanBytes
      list.heights = nil
      if listed != nil { list.pictures = .listed(.none) }
      if isOwn {
        list.pictures = .own([], allowsFiles: false)
        list.image = layout.sizes.image
      }
      return list
    }
  }
}
