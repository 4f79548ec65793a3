internal import ArgumentParser
internal import Cellophane
public import CellophaneSimulation

/// What a simulated list consists of.
struct ListOptions: ParsableArguments {
  @Option(
    help:
      "The kind of list, of which the sizes below are: rows, thumbnails, cards, grid, mixed (heights differ) or sections. [default: rows]"
  )
  var layout: ListKind?

  @Option(help: "How many rows the list has. [default: 1000, or one for each of --urls]")
  var rows: Int?

  @Option(help: "How many rows lie side by side. [default: 1]")
  var columns: Int?

  @Option(help: "The height of a row, in px. [default: 120]")
  var rowHeight: Int?

  @Option(help: "The size at which a row shows its picture, WIDTHxHEIGHT. [default: 112x112]")
  var image: PixelSize?

  @Option(help: "The size of the generated pictures, WIDTHxHEIGHT. [default: 320x320]")
  var source: PixelSize?

  @Option(
    help:
      "How large the generated files are in virtual time: lognormal:BYTES,SIGMA such as lognormal:60k,0.6, or bpp:BITS,SIGMA for bits a pixel. [default: generated, as measured]"
  )
  var bytes: String?

  @Option(
    help:
      "The share of the generated JPEG files that are progressive, such as 0.5 or 50%, in virtual time; see --previews. [default: 0]"
  )
  var progressive: String?

  @Option(
    name: .customLong("repeat"),
    help: "Rows share pictures, as those of authors: zipf:EXPONENT,PICTURES such as zipf:0.8,100.")
  var repetition: String?

  @Option(
    help:
      "A file with the URLs of your own pictures, one a row; or lines of url,height or url,height,bytes (px; a first line that says so may be there), with which --time virtual models them."
  )
  var urls: String?

  @Flag(name: .customLong("allow-files"), help: "Allow file: URLs in --urls.")
  var allowsFiles = false

  /// Those that were given.
  var given: [String] {
    let options: KeyValuePairs<String, Any?> = [
      "--layout": layout, "--rows": rows, "--columns": columns, "--row-height": rowHeight, "--image": image,
      "--urls": urls, "--allow-files": allowsFiles ? true : nil,
    ]
    return options.given + givenForGenerated
  }

  /// Those that were given and are about generated pictures.
  var givenForGenerated: [String] {
    let options: KeyValuePairs<String, Any?> = [
      "--source": source, "--bytes": bytes, "--repeat": repetition,
      "--progressive": progressive,
    ]
    return options.given
  }

  /// Sets what they say. The sizes of a kind of list come before those that are said.
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
    if let repetition { configuration.list.repeated = try RepeatedPictures(parsing: repetition) }
    if let urls {
      // 64 MB: half a million URLs of ordinary length, more rows than a list that one scrolls.
      let bytes = try FileOutput.read(urls, limit: 64 << 20)
      if RowList.describes(bytes) {
        let list = try RowList(name: urls, csv: bytes)
        for url in list.urls { try TransferOptions.check(url, allowsFiles: allowsFiles) }
        configuration.list.take(list, in: configuration.time, allowsFiles: allowsFiles)
        if let rows { configuration.list.rows = rows }
        return
      }
      let list = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).map {
        String($0.filter { !$0.isWhitespace })
      }.filter { !$0.isEmpty }
      for url in list { try TransferOptions.check(url, allowsFiles: allowsFiles) }
      configuration.list.pictures = .own(list, allowsFiles: allowsFiles)
      if rows == nil { configuration.list.rows = list.count }
    }
  }
}

extension ListKind: Choice {}
