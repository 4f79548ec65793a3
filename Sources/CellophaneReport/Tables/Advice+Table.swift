internal import CellophaneResults

extension Advice {
  /// Returns the advice as a text table with a final line break: the recommendation, the compared settings, and the command
  /// that plays the recommended ones.
  package func table() -> String {
    var lines = summary + [""]
    lines += config.heading(isVirtual: true, loaders: "cellophane") + [replicaLine]
    lines += [""] + policies + ["", capacityLine("memory", memory), capacityLine("concurrency", concurrency)]
    lines += command.map { ["", "To play the recommended settings:", $0] } ?? []
    lines += broken.map { "INVARIANT BROKEN: " + $0 }
    return lines.joined(separator: "\n") + "\n"
  }

  private var replicaLine: String {
    let confirmed = confirmation.map { "; to confirm: \(config.replicas), seeds from \($0.seed) on" } ?? ""
    return "replicas to choose: \(replicas.scenario)" + confirmed
  }

  /// The candidates, one per line, with explanations.
  private var policies: [String] {
    let (frontier, regrets) = (frontier, regrets)
    let width = 4 + (candidates.map { $0.prefetch.name.count }.max() ?? 0)
    let head = ["  prefetch", "blank", "MB/min", "unused", "regret", "worst"]
    let widths = [width, 10, 9, 9, 10, 10]
    let rows = candidates.map { trial in
      let rule = trial.prefetch
      let mark = rule == recommended ? "> " : frontier.contains(rule) ? "+ " : "  "
      let name = mark + rule.name + (rule == config.loader.prefetch ? " =" : "")
      let numbers = trial.numbers
      let cells = [
        name, Quantity.percent(numbers.blank), Self.megabytes(numbers.bytes), Self.megabytes(numbers.unused),
      ]
      guard let regret = regrets[rule] else { return TextTable.line(cells, widths: widths) }
      return TextTable.line(cells + [regret.mean, regret.worst].map(Quantity.points), widths: widths)
        + "  " + conditions[regret.worstCondition].title
    }
    return [TextTable.line(head, widths: widths)] + rows + [
      "",
      "> recommended, + on the frontier: no other policy has both less blank area and fewer bytes, = configured.",
      "MB/min: received; unused: of these, images that were never on the screen.",
      "regret: blank share above the lowest one of the compared policies, mean over \(conditions.count) conditions; worst: the",
      "largest, and where. Policies without these numbers were not played under the variations. Within \(Self.tolerance) of the least mean regret, the",
      "fewest bytes decide.",
    ]
  }

  private func capacityLine(_ name: String, _ capacity: Capacity) -> String {
    func text(_ value: Int) -> String { name == "memory" ? Quantity.capacity(value) : "\(value)" }
    let tried = capacity.trials.map { text($0.value) + " " + Quantity.percent($0.numbers.blank) }
    let end =
      capacity.recommended == capacity.configured
      ? "keep \(text(capacity.configured)): no other value is better by more than \(Self.tolerance)"
      : "use \(text(capacity.recommended)): the smallest within \(Self.tolerance) of the best"
    return "\(name): \(tried.joined(separator: ", ")); \(end)"
  }

  private static var tolerance: String { Quantity.points(AdviceRule.tolerance) }

  /// Returns bytes in megabytes, without the unit.
  static func megabytes(_ bytes: Double) -> String { Quantity.decimal(bytes / 1e6, places: 1) }
}

extension Advice.Condition {
  /// The condition in words.
  var title: String { Self.title(of: change) }

  /// Returns a condition in words; nil is the scenario itself.
  static func title(of change: Change?) -> String {
    guard let change else { return "as given" }
    let scale = ["×0.5": "half the", "×2": "double the"][change.value]
    switch (change.parameter, scale) {
    case ("network.down_kbps", let scale?): return scale + " rate"
    case ("network.rtt_ms", let scale?): return scale + " round trip"
    case ("list.bytes", let scale?): return scale + " file size"
    case ("network.http", _): return "HTTP/\(change.value)"
    default: return change.value
    }
  }
}
