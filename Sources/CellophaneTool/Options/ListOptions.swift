internal import ArgumentParser
internal import Cellophane
internal import CellophaneBatch
public import CellophaneResults

/// The rows and the images of a simulated list.
struct ListOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Use the sizes of this layout for all size options that are not given. (default: rows)",
      discussion: """
        rows: height 120 px, images 112x112.
        thumbnails: height 72 px, images 56x56.
        cards: height 420 px, images 412x412.
        grid: three columns, height 137 px, images 135x135.
        mixed: different heights around 400 px, images 412x300.
        sections: as rows, with a heading above every ten rows.
        """, valueName: "layout"))
  var layout: ListKind?

  @Option(
    help: ArgumentHelp("Set the number of rows. (default: 1000; with --urls one per URL)", valueName: "n"))
  var rows: Int?

  @Option(help: ArgumentHelp("Place this many rows side by side. (default: 1)", valueName: "n"))
  var columns: Int?

  @Option(help: ArgumentHelp("Set the height of a row. (default: 120)", valueName: "px"))
  var rowHeight: Int?

  @Option(help: ArgumentHelp("Show images at this size. (default: 112x112)", valueName: "WxH"))
  var image: PixelSize?

  @Option(help: ArgumentHelp("Generate image files of this size. (default: 320x320)", valueName: "WxH"))
  var source: PixelSize?

  @Option(
    help: ArgumentHelp(
      """
      In virtual time, draw file sizes from lognormal:MEDIAN[,SIGMA], such as lognormal:60k,0.6, or \
      bpp:MEDIAN[,SIGMA] (bits per pixel); jpeg, webp and avif mean the sizes of such files on the web, generated those \
      of generated images. (default: jpeg; in real time generated)
      """, valueName: "distribution"))
  var bytes: String?

  @Option(
    help: ArgumentHelp(
      """
      In virtual time, make this share of the generated files progressive JPEGs, such as 50%; needs --previews. \
      (default: 0)
      """, valueName: "share"))
  var progressive: String?

  @Option(
    help: ArgumentHelp(
      """
      In virtual time, make this share of the generated images animations of 24 frames, 80 ms each, such as 20%. \
      (default: 0)
      """, valueName: "share"))
  var animated: String?

  @Option(
    name: .customLong("repeat"),
    help: ArgumentHelp(
      "Share images between rows by zipf:EXPONENT,IMAGES, such as zipf:0.8,100. (default: one image per row)",
      valueName: "zipf:s,n"))
  var repetition: String?

  @Option(
    help: ArgumentHelp(
      """
      Show the images of this file: one URL per line, or lines of url,height or url,height,bytes, with the height \
      of the row in px, or an HTTP archive (HAR), with --row-height. --time virtual needs heights or an archive.
      """, valueName: "file"),
    completion: .file())
  var urls: String?

  @Flag(name: .customLong("allow-files"), help: "Allow file: URLs in --urls.")
  var allowsFiles = false

  /// The names of the given options.
  var given: [String] {
    let options: KeyValuePairs<String, Any?> = [
      "--layout": layout, "--rows": rows, "--columns": columns, "--row-height": rowHeight, "--image": image,
      "--urls": urls, "--allow-files": allowsFiles ? true : nil,
    ]
    return options.given + givenForGenerated
  }

  /// The names of the given options that apply to generated images.
  var givenForGenerated: [String] {
    let options: KeyValuePairs<String, Any?> = [
      "--source": source, "--bytes": bytes, "--repeat": repetition,
      "--progressive": progressive, "--animated": animated,
    ]
    return options.given
  }

  /// Sets the given options in `configuration`. Given sizes override those of a given layout.
  func apply(to configuration: inout SimulationConfiguration) throws(LoadError) {
    if let layout { configuration.list.layout = layout }
    if let rows { configuration.list.rows = rows }
    if let columns { configuration.list.columns = columns }
    if let rowHeight { configuration.list.rowHeight = rowHeight }
    if let image { configuration.list.picture = image }
    if let source { configuration.list.image = source }
    if let bytes { configuration.list.bytes = try FileSizes(parsing: bytes) }
    if let progressive {
      configuration.list.progressive = try SimulationConfiguration.Origin.share(parsing: progressive)
    }
    if let animated {
      configuration.list.animated = try SimulationConfiguration.Origin.share(parsing: animated)
    }
    if let repetition { configuration.list.repeated = try RepeatedPictures(parsing: repetition) }
    if let urls {
      // 64 MB: half a million URLs of average length, more rows than anybody scrolls through.
      let bytes = try FileIO.read(urls, limit: 64 << 20)
      let isArchive = RowList.isArchive(bytes)
      if isArchive || RowList.describes(bytes) {
        let list =
          isArchive
          ? try RowList(name: urls, har: bytes, height: configuration.list.rowHeight)
          : try RowList(name: urls, csv: bytes)
        // In virtual time a URL is only the name of an image.
        let isLoaded = configuration.time == .real
        for (index, url) in list.urls.enumerated() {
          try check(url, at: "row \(index + 1) of \(urls)", isLoaded: isLoaded)
        }
        configuration.list.take(list, in: configuration.time, allowsFiles: allowsFiles)
        if let rows { configuration.list.rows = rows }
        return
      }
      let list = try readURLs(in: bytes, named: urls)
      configuration.list.pictures = .own(list, allowsFiles: allowsFiles)
      if rows == nil { configuration.list.rows = list.count }
    }
  }
}

extension ListOptions {
  /// Returns the URLs in `bytes`, the file `name` with one URL per line.
  ///
  /// - Throws: ``LoadError`` with the number of the first line that is not a URL.
  private func readURLs(in bytes: [UInt8], named name: String) throws(LoadError) -> [String] {
    let list: [(line: Int, url: String)]
    do throws(LoadError) { list = try RowList.urls(in: bytes) } catch {
      throw LoadError(error.kind, "--urls: \(name), \(error.message)")
    }
    var urls: [String] = []
    for (line, url) in list {
      try check(url, at: "line \(line) of \(name)")
      urls.append(url)
    }
    if urls.isEmpty { throw LoadError(.invalidRequest, "--urls: \(name) has no URLs; write one per line") }
    return urls
  }

  /// Checks a URL at `place` in the file of `--urls`.
  private func check(_ url: String, at place: String, isLoaded: Bool = true) throws(LoadError) {
    do throws(LoadError) {
      try TransferOptions.check(url, allowsFiles: allowsFiles)
      if isLoaded { _ = try CanonicalURL.parse(url) }
    } catch {
      let reason = error.message.replacing(
        "; write http://host/path", with: "; the file needs URLs such as http://host/path")
      throw LoadError(error.kind, "--urls: \(place): \(reason)")
    }
  }
}

extension ListKind: Choice {}
