internal import Cellophane
internal import CellophaneNetwork

extension SimulationResult {
  /// Returns the result as one self-contained HTML file with its figures, its style and the result as JSON.
  ///
  /// - Throws: The errors of `json()`.
  public func html() throws -> String {
    let body = ReportBody(
      title: title, lead: lead,
      warning: incomplete.map { "Incomplete, " + $0.sentence(of: "replicas") + "." }, meta: meta,
      cards: cards, figures: figures, numbers: numbers,
      numberNotes: numberNotes, settings: try config.settings, assumptions: config.assumptions ?? [],
      commands: reproduce.map { [ReportBody.Command(title: "Repeat the run", text: $0)] } ?? [])
    return Page(
      title: "\(title) – Cellophane", body: body.markup,
      data: String(decoding: try JSONText.line(self), as: UTF8.self)
    ).text
  }

  private var title: String { "Scrolling with the profile \(config.gesture.profile.name)" }

  private var lead: String {
    let run = metrics.run
    let network = config.network.profile
    let source =
      config.list.isOwn
      ? "images from URLs of the user"
      : "\(images) over the network \(network.name) \(network.rates)"
    let blank = run[.blankRatio].map {
      " On average, \(Quantity.percent($0)) of the visible image area was blank\(naiveBlank)."
    }
    let rows = Quantity.grouped(Double(config.list.rows)) + (config.list.rows == 1 ? " row" : " rows")
    return "A list of \(rows) was scrolled\(config.screenSuffix) for "
      + "\(Quantity.short(config.duration.seconds)) s, with \(source)." + (blank ?? "")
  }

  private var images: String {
    config.list.meanBytes.map { "images of \(Quantity.bytes(Double($0))) on average" } ?? "images"
  }

  private var naiveBlank: String {
    baselines[.naive]?[.blankRatio].map { "; with a naive loader it was \(Quantity.percent($0))" } ?? ""
  }

  private var meta: String {
    let seeds =
      config.replicas > 1
      ? "\(config.replicas) replicas, first seed \(config.seed)"
      : "seed \(config.seed)"
    let made = "\(tool.name) \(tool.version) on \(tool.os), \(seeds)"
    guard let fingerprint else { return made + ", in real time" }
    return made + ", in virtual time (reproducible), fingerprint \(fingerprint)"
  }

  private var figures: [Figure] {
    var figures: [Figure?] = []
    let excerpts = recording.map { Excerpt.all(of: $0, height: SpaceTimeFigure.height) } ?? []
    if let recording {
      figures.append(ofFirst(SpaceTimeFigure(recording: recording, excerpts: excerpts).figure))
      figures.append(ofFirst(ScrollFigure(recording: recording).figure))
    }
    figures.append(SurvivalFigure(curves: survival).figure.map { noted($0, "The rows of all replicas.") })
    if let recording {
      figures.append(WaterfallFigure(recording: recording, excerpts: excerpts).figure.map(ofFirst))
    }
    if let caches = recording?.caches {
      figures.append(
        ofFirst(
          CacheFigure(curve: caches, size: config.cache.memoryBytes, policy: config.cache.policy.rawValue)
            .figure))
    }
    figures.append(bytesFigure.map { noted($0, "The mean of \(config.replicas) replicas.") })
    if let recording { figures.append(ofFirst(Filmstrip(recording: recording).figure)) }
    return figures.compactMap(\.self)
  }

  /// Returns `figure` with a remark about the replicas that it shows, if there are several.
  private func noted(_ figure: Figure, _ remark: String) -> Figure {
    guard config.replicas > 1 else { return figure }
    var figure = figure
    figure.remarks.insert(remark, at: 0)
    return figure
  }

  private func ofFirst(_ figure: Figure) -> Figure {
    noted(figure, "The first replica (seed \(config.seed)).")
  }

  private var bytesFigure: Figure? {
    let run = metrics.run
    guard let all = run[.bytesDown] else { return nil }
    let (unseen, partial) = (run[.wastedUnseen] ?? 0, run[.wastedPartial] ?? 0)
    let after = run[.wastedAfterCancel] ?? 0
    return BytesFigure(
      parts: [
        BytesFigure.Part(
          name: "Shown", meaning: "images that were on the screen", style: "shown",
          bytes: max(0, all - unseen - partial - after)),
        BytesFigure.Part(
          name: "Never seen", meaning: "complete images that were never on the screen", style: "unseen",
          bytes: unseen),
        BytesFigure.Part(
          name: "Cancelled", meaning: "partial images of cancelled or failed transfers", style: "cancelled",
          bytes: partial),
        BytesFigure.Part(
          name: "After cancellation", meaning: "in flight when the transfer was cancelled", style: "after",
          bytes: after),
      ], repeated: run[.refetchedBytes].flatMap { $0 > 0 ? $0 : nil }
    ).figure
  }
}
