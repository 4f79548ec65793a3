public import Cellophane

extension SimulationConfiguration {
  /// The rows and their pictures. Lengths in px.
  public struct List: Sendable, Hashable, Codable {
    /// Where the pictures come from.
    public enum Pictures: Sendable, Hashable {
      /// Pictures that carry their own number.
      case generated
      /// The user's own, one URL a row, local files among them if `allowsFiles`. They come from wherever they are,
      /// in real time.
      case own([String], allowsFiles: Bool)
      /// Pictures in place of the user's own, which are as large as the list tells; in virtual time.
      case listed(RowList)
    }

    /// What kind of list it is. To change it sets the sizes below to those of the kind.
    public var layout: ListKind { didSet { take(layout.sizes) } }
    /// The number of rows; at most as many as there are URLs.
    public var rows = 1_000
    /// How many rows lie side by side.
    public var columns = 1
    /// The height of a row.
    public var rowHeight = 0
    /// The size at which a row shows its picture.
    public var picture = PixelSize(width: 0, height: 0)
    /// The size of the generated pictures.
    public var image = PixelSize(width: 0, height: 0)
    /// The standard deviation of the logarithm of the pictures' heights, around those of ``picture`` and ``image``; a
    /// row is so much higher or lower. Nil where all are equal.
    public var heightSigma: Double?
    /// The height of each row; nil where ``rowHeight`` and ``heightSigma`` say it. Not written: a list has them.
    public private(set) var heights: [Int]?
    /// What divides the rows; nil where nothing does.
    public var section: ListLayout.Section?
    /// The pictures that come again and again; nil where each row has its own.
    public var repeated: RepeatedPictures?
    /// The sizes of the generated files in virtual time.
    public var bytes = FileSizes.generated
    /// The share of the generated JPEG files that are progressive, 0...1: coarse as a whole at first, while of others the
    /// first rows come first. In virtual time.
    public var progressive = 0.0
    /// Where the pictures come from.
    public var pictures = Pictures.generated
    /// The mean size of a generated file, in bytes; nil in what is to be played.
    public internal(set) var meanBytes: Int?

    /// A list of this kind.
    public init(layout: ListKind = .rows) {
      self.layout = layout
      take(layout.sizes)
    }

    /// The sides that generated pictures can have: a cell of the row's code needs a pixel, and all pictures
    /// are made beforehand.
    public static let imageSides = 16...2048
    /// The standard deviations that heights can have: at 1 a third is as extreme as heights may be.
    public static let heightSigmas = 0.0...1.0

    /// Takes over the rows of `list`: in virtual time pictures in place of theirs, else theirs.
    ///
    /// - Parameter allowsFiles: Whether local files may be among them.
    public mutating func take(_ list: RowList, in time: Time, allowsFiles: Bool = false) {
      pictures = time == .virtual ? .listed(list) : .own(list.urls, allowsFiles: allowsFiles)
      heights = list.heights
      heightSigma = nil
      rows = list.urls.count
    }

    private mutating func take(_ sizes: ListKind.Sizes) {
      (columns, rowHeight, picture, image) = (sizes.columns, sizes.rowHeight, sizes.picture, sizes.image)
      (heightSigma, section) = (sizes.heightSigma, sizes.section)
    }

    /// True for the user's own pictures.
    var isOwn: Bool { if case .own = pictures { true } else { false } }

    /// The rows that generated pictures stand for; nil where they stand for none.
    var listed: RowList? { if case .listed(let list) = pictures { list } else { nil } }

    /// The same with every length of the screen multiplied by what `scaled` does.
    func scaled(_ scaled: (Int) -> Int) -> List {
      var list = self
      list.rowHeight = scaled(rowHeight)
      list.picture = PixelSize(width: scaled(picture.width), height: scaled(picture.height))
      if let section { list.section = ListLayout.Section(rows: section.rows, header: scaled(section.header)) }
      list.heights = heights?.map(scaled)
      return list
    }

    func check(in time: Time, _ decoding: Decoding.Mode) throws(LoadError) {
      if let heightSigma {
        try ScenarioField.check(heightSigma, "list.height_sigma", within: Self.heightSigmas)
      }
      try ScenarioField.check(progressive, "list.progressive", within: 0...1)
      if progressive > 0, time == .real || decoding == .real {
        throw ScenarioField.refused(
          "list.progressive", "files with pixels are none; take virtual time without")
      }
      switch pictures {
      case .own(let urls, _):
        if urls.isEmpty { throw LoadError(.invalidRequest, "the list of URLs is empty") }
        if time == .virtual {
          throw LoadError(
            .invalidRequest,
            "pictures of your own can only be loaded in real time; take --time real, or a list with heights")
        }
        if repeated != nil {
          throw ScenarioField.refused("list.repeat", "is for generated pictures; let URLs of your own repeat")
        }
      case .listed(let list):
        if list.urls.isEmpty {
          throw ScenarioField.refused(
            "list.pictures", "the rows are in a list of their own; give it by --urls")
        }
        guard time == .virtual, decoding == .model else {
          throw ScenarioField.refused(
            "list.pictures", "listed ones are modelled; take virtual time without pixels")
        }
        if repeated != nil {
          throw ScenarioField.refused("list.repeat", "is for generated pictures; let URLs of the list repeat")
        }
        try bytes.check(havePixels: false)
        try ScenarioField.check(image.width, "list.image[0]", within: Self.imageSides)
        try ScenarioField.check(image.height, "list.image[1]", within: Self.imageSides)
      case .generated:
        try repeated?.check()
        try bytes.check(havePixels: time == .real || decoding == .real)
        try checkSizes()
      }
    }

    private func checkSizes() throws(LoadError) {
      try ScenarioField.check(image.width, "list.image[0]", within: Self.imageSides)
      try ScenarioField.check(image.height, "list.image[1]", within: Self.imageSides)
      guard picture.width > 0, picture.height > 0 else { return }
      // Half as high as the others, a picture has still to be told by its pixels.
      let least = heightSigma == nil ? 1 : 2
      let lowest = PixelSize(width: image.width, height: max(1, image.height / least))
      let fitted = lowest.fitted(
        into: PixelSize(width: picture.width, height: max(1, picture.height / least)))
      guard CodeArea(width: fitted.width, height: fitted.height).isReadable else {
        throw ScenarioField.refused(
          "list.picture",
          "generated pictures of \(image.width)x\(image.height), shown at \(picture.width)x\(picture.height),"
            + " are too small to read their row numbers; show them with at least 16 px a side"
            + (least > 1 ? " when they are half as high" : ""))
      }
    }

    /// The list within `viewport`, its heights drawn by `seed`.
    func layout(in viewport: Viewport, seed: UInt64) throws(LoadError) -> ListLayout {
      var rows = rows
      if case .own(let urls, _) = pictures { rows = min(rows, urls.count) }
      if let listed { rows = min(rows, listed.urls.count) }
      var heights: [Int]?
      if let own = self.heights {
        let margin = rowHeight - picture.height
        heights = own.prefix(rows).map { $0 - margin }
        if let low = heights?.firstIndex(where: { $0 < 1 }) {
          throw ScenarioField.refused(
            "list.row_height_px",
            "row \(low + 1) of the list is \(own[low]) px high; beside a picture there are \(margin) px")
        }
      } else if heightSigma != nil {
        try ScenarioField.check(rows, "list.rows", within: ListLayout.placedRowCounts)
        let contents = ListContents(self, seed: seed)
        heights = (0..<rows).map { contents.shownHeight(of: contents.picture(of: $0)) }
      }
      return try ListLayout(
        rows: rows, rowHeight: rowHeight, picture: picture, columns: columns, section: section,
        pictureHeights: heights, viewport: viewport.size)
    }

    /// As a result tells it.
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
