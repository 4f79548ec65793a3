internal import Cellophane
internal import CellophaneNetwork

extension StudyResult {
  /// Returns the result as one self-contained HTML file with its figures, its style and the result as JSON.
  ///
  /// - Throws: The errors of ``json()``.
  package func html() throws -> String {
    let body = ReportBody(
      title: title, verdict: finding?.sentence, notes: finding?.notes ?? [], lead: lead,
      warning: incomplete.map { "Incomplete, " + $0.sentence(of: "cases") + "." }, meta: meta, cards: cards,
      figures: figures, numbers: [table], numberNotes: numberNotes,
      settings: try config?.settings ?? [], settingsNote: settingsNote,
      assumptions: config?.assumptions ?? [], commands: commands)
    return Page(
      title: "\(title) – Cellophane", body: body.markup,
      data: String(decoding: try JSONText.line(self), as: UTF8.self), style: StudyStyle.text
    ).text
  }

  private var title: String {
    switch kind {
    case .sweep: "Sweep of \(parameters.joined(separator: " and "))"
    case .sensitivity: "Sensitivity to gestures and network"
    case .suite: "Suite \(suite ?? "")"
    }
  }

  private var lead: String {
    let times = replicas > 1 ? "\(replicas) times" : "once"
    let played = cases.count == 1 ? "1 case, played \(times)" : "\(cases.count) cases, each played \(times)"
    // The paired comparison of the cases depends on this.
    let pairing =
      cases.count > 1 ? " The cases share their gestures and images unless a swept setting changes them." : ""
    let summary =
      switch kind {
      case .sweep where parameters.count == 2:
        "\(played): every value of \(parameters[0]) with every value of \(parameters[1]).\(pairing)"
      case .sweep: "\(played): every value of \(parameters[0]).\(pairing)"
      case .sensitivity:
        "\(played): the base case, and each gesture and network parameter 50 % smaller and 50 % larger. Most of these "
          + "parameters are assumptions. Measure the ones that change the result."
      case .suite: "\(played): the cases of the suite by \(parameters.joined(separator: ", "))."
      }
    return summary + (base.map { " " + $0 } ?? "")
  }

  /// A description of the first case; nil if its settings are unknown.
  private var base: String? {
    config.map { config in
      "The first case scrolls a list of \(Quantity.grouped(Double(config.list.rows))) rows"
        + "\(config.screenSuffix) for \(Quantity.short(config.duration.seconds)) s "
        + "with the profile \(config.gesture.profile.name), "
        + (config.list.isOwn
          ? "with images from URLs of the user." : "over the network \(config.network.profile.name).")
    }
  }

  private var meta: String {
    let seeds = config.map {
      ", \(replicas > 1 ? "\(replicas) replicas, first seed" : "seed") \($0.seed)"
    }
    return "\(tool.name) \(tool.version) on \(tool.os)" + (seeds ?? "")
      + (cases.first?.fingerprint == nil ? ", in real time" : ", in virtual time (reproducible)")
  }

  /// A table of all cases with the most important metrics.
  private var table: Table {
    Table(
      caption: "All cases", head: [parameters.joined(separator: "/")] + numbers.map(\.title),
      rows: cases.map { one in [Self.name(of: one)] + numbers.map { cell(one, $0) } })
  }

  private var numberNotes: [String] {
    numbers.map { "\($0.title): \($0.meaning)" }
      + [intervalNote].compactMap(\.self)
      + [marks?.replacing("\n", with: " "), missingNote].compactMap(\.self)
  }

  private var missingNote: String? {
    cases.contains { one in numbers.contains { cell(one, $0) == Quantity.unknown } }
      ? TableNotes.missingInStudy : nil
  }

  /// The cases that the settings of ``StudyResult/config`` belong to; nil if the settings are unknown, and
  /// for a sweep of one case.
  var settingsNote: String? {
    guard config != nil else { return nil }
    return switch kind {
    case .sweep where !comparesCases: nil
    case .sweep:
      "Settings of the first case. The other cases differ in \(parameters.joined(separator: " and "))."
    case .sensitivity:
      "Settings of the base case. Every other case changes the parameter in its name."
    case .suite: "Settings of the first case, \(cases.first.map(Self.name(of:)) ?? "")."
    }
  }

  private var commands: [ReportBody.Command] {
    [
      reproduce.map { ReportBody.Command(title: "Repeat the study", text: $0) },
      cases.first?.reproduce.map {
        ReportBody.Command(title: "Repeat the first case alone, with all settings", text: $0)
      },
    ].compactMap(\.self)
  }
}
