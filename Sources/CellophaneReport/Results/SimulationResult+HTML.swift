internal import Cellophane
internal import CellophaneNetwork

extension SimulationResult {
  /// Returns the result as one self-contained HTML file with its figures, its style and the result as JSON.
  ///
  /// - Throws: The errors of `json()`.
  public func html() throws -> String {
    let body = ReportBody(
      title: title, verdict: finding?.sentence, notes: finding?.notes ?? [], lead: lead, warning: warning,
      meta: meta, film: pair.map { Filmstrip($0).markup }, cards: cards, figures: figures, numbers: numbers,
      numberNotes: numberNotes, settings: try config.settings, assumptions: config.assumptions ?? [],
      commands: reproduce.map { [ReportBody.Command(title: "Repeat the run", text: $0)] } ?? [])
    return Page(
      title: "\(title) – Cellophane", body: body.markup,
      data: String(decoding: try JSONText.line(self), as: UTF8.self)
    ).text
  }

  private var title: String { "Scrolling with the profile \(config.gesture.profile.name)" }

  /// A warning about a stopped run and about broken invariants; nil for a complete and correct one.
  private var warning: String? {
    let parts =
      (incomplete.map { ["Incomplete, " + $0.sentence(of: "replicas") + "."] } ?? [])
      + (invariants.hold ? [] : ["Broken invariants: " + invariants.broken.joined(separator: "; ") + "."])
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  }

  private var lead: String {
    let network = config.network.profile
    let source =
      config.list.isOwn
      ? "images from URLs of the user"
      : "\(images) over the network \(network.name) \(network.rates)"
    let rows = Quantity.grouped(Double(config.list.rows)) + (config.list.rows == 1 ? " row" : " rows")
    let sound =
      invariants.hold
      ? " \(subject) showed no wrong image, transferred no image twice at once, and left no work unfinished."
      : ""
    return "A list of \(rows) was scrolled\(config.screenSuffix) for "
      + "\(Quantity.short(config.duration.seconds)) s, with \(source). Each loader sees the same gestures.\(sound)"
  }

  private var images: String {
    config.list.meanBytes.map { "images of \(Quantity.bytes(Double($0))) on average" } ?? "images"
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
    let pair = pair
    let excerpts = pair.map(Excerpt.all) ?? []
    if let pair {
      figures.append(ofFirst(SpaceTimeFigure(pair: pair, excerpts: excerpts).figure))
      figures.append(ofFirst(ScrollFigure(pair: pair).figure))
    }
    figures.append(SurvivalFigure(curves: survival).figure.map { noted($0, "The rows of all replicas.") })
    if let pair { figures.append(WaterfallFigure(pair: pair, excerpts: excerpts).figure.map(ofFirst)) }
    figures.append(bytesFigure.map { noted($0, "The mean of \(config.replicas) replicas.") })
    if let caches = recording?.caches {
      figures.append(
        ofFirst(
          CacheFigure(curve: caches, size: config.cache.memoryBytes, policy: config.cache.policy.rawValue)
            .figure))
    }
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
    let runs =
      [(loader, metrics.run)]
      + [LoaderUnderTest.naive, .noPrefetch, .cellophane].compactMap { one in
        baselines[one].map { (one.title, $0) }
      }
    return BytesFigure(bars: runs.compactMap { bar($0, $1) }).figure
  }

  private func bar(_ loader: String, _ run: RunMetrics) -> BytesFigure.Bar? {
    guard let all = run[.bytesDown] else { return nil }
    let (unseen, partial) = (run[.wastedUnseen] ?? 0, run[.wastedPartial] ?? 0)
    let after = run[.wastedAfterCancel] ?? 0
    return BytesFigure.Bar(
      loader: loader,
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
      ], repeated: run[.refetchedBytes].flatMap { $0 > 0 ? $0 : nil })
  }
}
