internal import Cellophane
internal import CellophaneTesting

extension SimulationResult {
  /// The result as one HTML file, with everything in it that it needs: drawings, style and the result as JSON.
  ///
  /// - Throws: what ``json()`` throws.
  public func html() throws -> String {
    let body = ReportBody(
      title: title, lead: lead,
      warning: incomplete.map { "Incomplete, " + $0.sentence(of: "replicas") + "." }, meta: meta,
      cards: cards, figures: figures, numbers: numbers,
      numberNotes: numberNotes, settings: try config.settings, assumptions: config.assumptions ?? [],
      commands: reproduce.map { [ReportBody.Command(title: "To repeat it", text: $0)] } ?? [])
    return Page(
      title: "\(title) – Cellophane", body: body.markup,
      data: String(decoding: try JSONText.line(self), as: UTF8.self)
    ).text
  }

  private var title: String { "What a \(config.gesture.profile.name) saw" }

  private var lead: String {
    let run = metrics.run
    let network = config.network.profile
    let line =
      config.list.isOwn
      ? "with pictures from their own URLs" : "over \(network.name)\(Self.rate(of: network)), \(pictures)"
    let blank = run[.blankRatio].map {
      " Of all the picture area that was on the screen, over time, \(Quantity.percent($0)) was blank\(naiveBlank)."
    }
    return "A list of \(Quantity.grouped(Double(config.list.rows))) rows was scrolled for "
      + "\(Quantity.short(config.duration.seconds)) s as a \(config.gesture.profile.name) would, \(line)."
      + (blank ?? "")
  }

  private var pictures: String {
    config.list.meanBytes.map { "with pictures of \(Quantity.bytes(Double($0)))" } ?? "with pictures"
  }

  private var naiveBlank: String {
    baselines[.naive]?[.blankRatio].map {
      "; with a loader as one writes it on the first day it was \(Quantity.percent($0))"
    } ?? ""
  }

  private static func rate(of network: NetworkProfile) -> String {
    let rate =
      network.downBitsPerSecond.map { Quantity.decimal(Double($0) / 1e6, places: 1) + " Mbit/s" }
      ?? "no limit"
    return " (\(rate), \(Quantity.milliseconds(network.roundTrip.milliseconds)) round trip)"
  }

  private var meta: String {
    let seeds =
      config.replicas > 1
      ? "\(config.replicas) replicas from seed \(config.seed) on, pictures from the first"
      : "seed \(config.seed)"
    let made = "\(tool.name) \(tool.version) on \(tool.os), \(seeds)"
    guard let fingerprint else { return made + ", in real time" }
    return made + ", in virtual time: the same on every run, fingerprint \(fingerprint)"
  }

  private var figures: [Figure] {
    var figures: [Figure?] = []
    let moments = recording.map { Moment.all(of: $0, height: SpaceTimeFigure.height) } ?? []
    if let recording {
      figures.append(SpaceTimeFigure(recording: recording, moments: moments).figure)
      figures.append(ScrollFigure(recording: recording).figure)
    }
    figures.append(SurvivalFigure(curves: survival).figure)
    if let recording { figures.append(WaterfallFigure(recording: recording, moments: moments).figure) }
    if let caches = recording?.caches {
      figures.append(
        CacheFigure(curve: caches, size: config.cache.memoryBytes, policy: config.cache.policy.rawValue)
          .figure)
    }
    figures.append(bytesFigure)
    if let recording { figures.append(Filmstrip(recording: recording).figure) }
    return figures.compactMap(\.self)
  }

  private var bytesFigure: Figure? {
    let run = metrics.run
    guard let all = run[.bytesDown] else { return nil }
    let (unseen, partial) = (run[.wastedUnseen] ?? 0, run[.wastedPartial] ?? 0)
    let after = run[.wastedAfterCancel] ?? 0
    return BytesFigure(
      parts: [
        BytesFigure.Part(
          name: "Shown", meaning: "of pictures that were on the screen", style: "shown",
          bytes: max(0, all - unseen - partial - after)),
        BytesFigure.Part(
          name: "Never seen", meaning: "whole pictures of rows that were not on the screen", style: "unseen",
          bytes: unseen),
        BytesFigure.Part(
          name: "Given up", meaning: "of pictures that were cancelled, or failed", style: "cancelled",
          bytes: partial),
        BytesFigure.Part(
          name: "Too late to stop", meaning: "on their way when a transfer was cancelled", style: "after",
          bytes: after),
      ], repeated: run[.refetchedBytes].flatMap { $0 > 0 ? $0 : nil }
    ).figure
  }
}
