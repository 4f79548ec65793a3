internal import Cellophane

extension SimulationConfiguration.List {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case layout, rows, columns, picture, image, section, bytes, progressive, animated, pictures
    case rowHeight = "row_height_px"
    case heightSigma = "height_sigma"
    case repeated = "repeat"
    case meanBytes = "mean_bytes"
  }

  private enum SectionKeys: String, CodingKey, CaseIterable {
    case rows
    case header = "header_px"
  }

  /// Decodes the present fields; missing ones have the values of the kind of list.
  public init(from decoder: any Decoder) throws {
    let fields = try ScenarioFields<CodingKeys>(decoder)
    self.init(layout: try fields.choice(.layout) ?? .rows)
    rows = try fields.value(.rows) ?? rows
    columns = try fields.value(.columns) ?? columns
    rowHeight = try fields.value(.rowHeight) ?? rowHeight
    picture = try fields.size(.picture) ?? picture
    image = try fields.size(.image) ?? image
    heightSigma = try fields.value(.heightSigma) ?? heightSigma
    if let inner = try fields.fields(.section, SectionKeys.self) {
      var section = section ?? ListKind.section
      section.rows = try inner.value(.rows) ?? section.rows
      section.header = try inner.value(.header) ?? section.header
      self.section = section
    }
    repeated = try fields.fields(.repeated, RepeatedPictures.Keys.self).map(RepeatedPictures.init(reading:))
    bytes = try fields.fields(.bytes, FileSizes.Keys.self).map(FileSizes.init(reading:)) ?? bytes
    progressive = try fields.value(.progressive) ?? progressive
    animated = try fields.value(.animated) ?? animated
    meanBytes = try fields.value(.meanBytes)
    switch try fields.value(.pictures, String.self) {
    case nil, "generated": pictures = .generated
    // A scenario does not contain the list file.
    case "own": pictures = .own([], allowsFiles: false)
    case "listed": pictures = .listed(.none)
    case let other?:
      throw fields.error(.pictures, "unknown value '\(other)'; use one of generated, own, listed")
    }
  }

  /// Encodes the format that ``init(from:)`` decodes.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(layout.rawValue, forKey: .layout)
    try container.encode(rows, forKey: .rows)
    try container.encode(columns, forKey: .columns)
    try container.encode(rowHeight, forKey: .rowHeight)
    try container.encode([picture.width, picture.height], forKey: .picture)
    try container.encode(isOwn ? "own" : listed == nil ? "generated" : "listed", forKey: .pictures)
    if !isOwn { try container.encode([image.width, image.height], forKey: .image) }
    try container.encodeIfPresent(heightSigma, forKey: .heightSigma)
    if let section {
      var inner = container.nestedContainer(keyedBy: SectionKeys.self, forKey: .section)
      try inner.encode(section.rows, forKey: .rows)
      try inner.encode(section.header, forKey: .header)
    }
    if let repeated {
      var inner = container.nestedContainer(keyedBy: RepeatedPictures.Keys.self, forKey: .repeated)
      try repeated.write(to: &inner)
    }
    if bytes != .generated {
      var inner = container.nestedContainer(keyedBy: FileSizes.Keys.self, forKey: .bytes)
      try bytes.write(to: &inner)
    }
    try container.encode(progressive, forKey: .progressive)
    if animated > 0 { try container.encode(animated, forKey: .animated) }
    try container.encodeIfPresent(meanBytes, forKey: .meanBytes)
  }
}
