public import Cellophane

extension SimulationConfiguration {
  /// The rows and their pictures. Lengths in px.
  public struct List: Sendable, Hashable, Codable {
    /// Where the pictures come from.
    public enum Pictures: Sendable, Hashable {
      /// Pictures that carry their row's number, each row its own.
      case generated
      /// The user's own, one URL a row, local files among them if `allowsFiles`. They come from wherever they are,
      /// in real time.
      case own([String], allowsFiles: Bool)
    }

    /// The number of rows; at most as many as there are URLs.
    public var rows = 1_000
    /// The height of a row. 120: a row with a thumbnail and three lines of text.
    public var rowHeight = 120
    /// The size at which a row shows its picture.
    public var picture = PixelSize(width: 112, height: 112)
    /// The size of the generated pictures: three times what is shown, as for a dense screen.
    public var image = Self.defaultImage
    /// Where the pictures come from.
    public var pictures = Pictures.generated
    /// The mean size of a generated file, in bytes; nil in what is to be played.
    public internal(set) var meanBytes: Int?

    private static let defaultImage = PixelSize(width: 320, height: 320)

    /// The defaults.
    public init() {}

    /// The sides that generated pictures can have: a cell of the row's code needs a pixel, and all pictures
    /// are made beforehand.
    public static let imageSides = 16...2048

    private enum CodingKeys: String, CodingKey, CaseIterable {
      case rows, picture, image, pictures
      case rowHeight = "row_height_px"
      case meanBytes = "mean_bytes"
    }

    /// Reads the fields that are there.
    public init(from decoder: any Decoder) throws {
      let fields = try ScenarioFields<CodingKeys>(decoder)
      rows = try fields.value(.rows) ?? rows
      rowHeight = try fields.value(.rowHeight) ?? rowHeight
      picture = try fields.size(.picture) ?? picture
      image = try fields.size(.image) ?? image
      meanBytes = try fields.value(.meanBytes)
      switch try fields.value(.pictures, String.self) {
      case nil, "generated": pictures = .generated
      // Their list is not a part of a scenario.
      case "own": pictures = .own([], allowsFiles: false)
      case let other?: throw fields.refused(.pictures, "there is no '\(other)'; take one of generated, own")
      }
    }

    /// Writes what ``init(from:)`` reads.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(rows, forKey: .rows)
      try container.encode(rowHeight, forKey: .rowHeight)
      try container.encode([picture.width, picture.height], forKey: .picture)
      try container.encode(isOwn ? "own" : "generated", forKey: .pictures)
      if !isOwn { try container.encode([image.width, image.height], forKey: .image) }
      try container.encodeIfPresent(meanBytes, forKey: .meanBytes)
    }

    /// True for the user's own pictures.
    var isOwn: Bool { pictures != .generated }

    func check(in time: Time) throws(LoadError) {
      switch pictures {
      case .own(let urls, _):
        if urls.isEmpty { throw LoadError(.invalidRequest, "the list of URLs is empty") }
        if time == .virtual {
          throw LoadError(
            .invalidRequest, "pictures of your own can only be loaded in real time; take --time real")
        }
      case .generated: try checkGenerated()
      }
    }

    private func checkGenerated() throws(LoadError) {
      try ScenarioField.check(image.width, "list.image[0]", within: Self.imageSides)
      try ScenarioField.check(image.height, "list.image[1]", within: Self.imageSides)
      guard picture.width > 0, picture.height > 0 else { return }
      let fitted = image.fitted(into: picture)
      guard CodeArea(width: fitted.width, height: fitted.height).isReadable else {
        throw ScenarioField.refused(
          "list.picture",
          "generated pictures of \(image.width)x\(image.height), shown at \(picture.width)x\(picture.height),"
            + " are too small to read their row numbers; show them with at least 16 px a side")
      }
    }

    /// The list within `viewport`.
    func layout(in viewport: Viewport) throws(LoadError) -> ListLayout {
      var rows = rows
      if case .own(let urls, _) = pictures { rows = min(rows, urls.count) }
      return try ListLayout(rows: rows, rowHeight: rowHeight, picture: picture, viewport: viewport.size)
    }

    /// As a result tells it.
    func completed(rows: Int, meanBytes: Int?) -> List {
      var list = self
      list.rows = rows
      list.meanBytes = meanBytes
      if isOwn {
        list.pictures = .own([], allowsFiles: false)
        list.image = Self.defaultImage
      }
      return list
    }
  }
}
