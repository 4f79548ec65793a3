internal import Cellophane
internal import CellophaneTesting

extension StudyResult {
  /// The result as one HTML file, with everything in it that it needs: drawings, style and the result as JSON.
  ///
  /// - Throws: what ``json()`` throws.
  public func html() throws -> String {
    let body = ReportBody(
      title: title, lead: lead,
      warning: incomplete.map { "Incomplete, " + $0.sentence(of: "cases") + "." }, meta: meta, cards: cards,
      figures: figures, numbers: [numbers], numberNotes: numberNotes,
      settings: try config?.settings ?? [], settingsNote: settingsNote,
      assumptions: config?.assumptions ?? [], commands: commands)
    return Page(
      title: "\(title) – Cellophane", body: body.markup,
      data: String(decoding: try JSONText.line(self), as: UTF8.self), style: StudyStyle.text
    ).text
  }

  private var title: String {
    switch kind {
    case .sweep: "What \(parameters.joined(separator: " and ")) \(parameters.count == 1 ? "does" : "do")"
    case .sensitivity: "Which numbers matter"
    case .suite: "The suite \(suite ?? "")"
    }
  }

  private var lead: String {
    let often = replicas > 1 ? "\(replicas) times" : "once"
    let played = "\(cases.count) \(cases.count == 1 ? "case was" : "cases were") played, each \(often)"
    let what =
      switch kind {
      case .sweep where parameters.count == 2:
        "\(played), with the same gestures and pictures where they do not differ themselves: every value of "
          + "\(parameters[0]) with every value of \(parameters[1])."
      case .sweep:
        "\(played), with the same gestures and pictures where they do not differ themselves: every value of \(parameters[0])."
      case .sensitivity:
        "\(played): as it is, and with each number behind the gestures and the line at a half and at one and a half of "
          + "its size. Most of these numbers are assumed; those that move the result are the ones to measure."
      case .suite: "\(played): every \(parameters.joined(separator: ", ")) of the suite."
      }
    return what + (base.map { " " + $0 } ?? "")
  }

  /// What the first case was; nil where it is not known.
  private var base: String? {
    config.map { config in
      "In the first case, a list of \(Quantity.grouped(Double(config.list.rows))) rows was scrolled for "
        + "\(Quantity.short(config.duration.seconds)) s as a \(config.gesture.profile.name) would, "
        + (config.list.isOwn
          ? "with pictures from their own URLs." : "over \(config.network.profile.name).")
    }
  }

  private var meta: String {
    let seeds = config.map { ", \(replicas > 1 ? "\(replicas) replicas from seed" : "seed") \($0.seed)" }
    let made =
      "\(tool.name) \(tool.version) on \(tool.os)" + (seeds ?? "")
      + (replicas > 1 && seeds != nil ? " on" : "")
    return made
      + (cases.first?.fingerprint == nil ? ", in real time" : ", in virtual time: the same on every run")
  }

  /// All cases, with the numbers that matter most.
  private var numbers: Table {
    Table(
      caption: "All cases", head: [parameters.joined(separator: "/")] + StudyNumber.all.map(\.title),
      rows: cases.map { one in [Self.name(of: one)] + StudyNumber.all.map { cell(one, $0) } })
  }

  private var numberNotes: [String] {
    StudyNumber.all.map { "\($0.title): \($0.meaning)" }
      + (replicas >= Bootstrap.fewest ? ["±: half of the 95 % interval over \(replicas) replicas."] : []) + [
        marks
      ]
      + ["–: not known."]
  }

  private var settingsNote: String? {
    guard config != nil else { return nil }
    return switch kind {
    case .sweep:
      "These are the settings of the first case. The others differ in \(parameters.joined(separator: " and "))."
    case .sensitivity:
      "These are the settings as they are; each other case differs in the one number that it is named by."
    case .suite: "These are the settings of the first case, \(cases.first.map(Self.name(of:)) ?? "")."
    }
  }

  private var commands: [ReportBody.Command] {
    [
      reproduce.map { ReportBody.Command(title: "To repeat it", text: $0) },
      cases.first?.reproduce.map {
        ReportBody.Command(title: "To play the first case alone, with every setting written out", text: $0)
      },
    ].compactMap(\.self)
  }
}
