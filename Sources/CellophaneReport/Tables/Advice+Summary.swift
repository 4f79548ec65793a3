internal import CellophaneResults

extension Advice {
  /// The warning, if any, the recommendation with its gain, its price, its effect and its regret under the conditions, each
  /// as one sentence. Without a shown image, only the warning: nothing distinguishes the settings.
  var summary: [String] {
    if leastBlank >= 1 { return [warning].compactMap(\.self) }
    return [warning, action, price, effect, robustness, caveat].compactMap(\.self)
  }

  /// The lowest blank share of a compared policy.
  private var leastBlank: Double { candidates.map(\.numbers.blank).min() ?? 0 }

  /// A warning that no compared setting shows half of the image area; nil if one does.
  private var warning: String? {
    guard leastBlank > 0.5 else { return nil }
    return
      "The network is too slow for these images: every compared policy leaves at least \(Quantity.percent(leastBlank)) blank. "
      + "Smaller images help more than any setting."
  }

  /// The recommended settings and the blank share with them.
  private var action: String {
    let policy = recommended == config.loader.prefetch ? "Keep \(recommended.name)" : recommended.imperative
    var changes: [String] = []
    if memory.recommended != memory.configured {
      changes.append("a memory cache of \(Quantity.capacity(memory.recommended))")
    }
    if concurrency.recommended != concurrency.configured {
      changes.append("\(concurrency.recommended) concurrent transfers")
    }
    let settings = policy + (changes.isEmpty ? "" : ", with " + changes.joined(separator: " and "))
    guard let confirmation else {
      let own = candidates.first { $0.prefetch == recommended }?.numbers.blank ?? 0
      return "\(settings): \(Quantity.percent(own)) of the image area is blank."
    }
    return
      "\(settings): \(Quantity.percent(confirmation.recommended.blank)) of the image area is blank instead of "
      + "\(Quantity.percent(confirmation.configured.blank)) (\(Self.text(of: confirmation)))."
  }

  /// The bytes of the recommended settings, and how many more they are than those of the configured ones.
  private var price: String? {
    guard let confirmation else {
      guard let own = candidates.first(where: { $0.prefetch == recommended })?.numbers else { return nil }
      return
        "Price: \(Self.megabytes(own.bytes)) MB a minute, of which \(Self.megabytes(own.unused)) MB are never shown."
    }
    let (own, other) = (confirmation.recommended, confirmation.configured)
    return
      "Price: \(Self.megabytes(own.bytes)) MB a minute (\(Self.change(own.bytes - other.bytes))), of which "
      + "\(Self.megabytes(own.unused)) MB (\(Self.change(own.unused - other.unused))) are never shown."
  }

  /// How the recommended settings compare with the configured ones under all conditions.
  private var effect: String? {
    guard let best = effects.min(by: { $0.difference < $1.difference }),
      let worst = effects.max(by: { $0.difference < $1.difference })
    else { return nil }
    func text(_ effect: Effect) -> String {
      let points = Quantity.signed(Quantity.points(abs(effect.difference)), isNegative: effect.difference < 0)
      return "\(points) (\(Condition.title(of: effect.change)))"
    }
    return
      "Under \(effects.count) conditions, the blank share differs from that of the configured settings by \(text(best)) to "
      + "\(text(worst))."
  }

  /// How the recommended policy compares with the others under all conditions.
  private var robustness: String? {
    guard let regret = regrets[recommended] else { return nil }
    let near =
      "Robust: the policy, with the configured memory and transfers, is within \(Quantity.points(AdviceRule.tolerance)) "
      + "of the best compared one under \(regret.nearBest) of "
      + "\(conditions.count) conditions"
    guard regret.worst > AdviceRule.tolerance else { return near + "." }
    return near
      + "; at worst \(Quantity.points(regret.worst)) above it (\(conditions[regret.worstCondition].title))."
  }

  /// A warning that the choice has few replicas; nil with enough of them, and if ``action`` states it.
  private var caveat: String? {
    confirmation == nil && config.replicas < Bootstrap.minReplicas
      ? "With fewer than ten replicas, the choice may be chance." : nil
  }

  /// Returns the difference of the blank shares with its interval, and whether it is confirmed.
  private static func text(of confirmation: Confirmation) -> String {
    func points(_ difference: Double) -> String {
      Quantity.signed(Quantity.points(abs(difference)), isNegative: difference < 0)
    }
    let difference = confirmation.difference
    var text = points(difference.mean ?? 0) + " before rounding"
    if let low = difference.interval?.low, let high = difference.interval?.high {
      text += ", 95 % interval \(points(low)) to \(points(high))"
    } else {
      text += "; fewer than ten replicas give no interval"
    }
    return confirmation.claim == nil ? text + "; not shown to differ" : text
  }

  private static func change(_ bytes: Double) -> String {
    Quantity.signed(megabytes(abs(bytes)), isNegative: bytes < 0)
  }
}

extension PrefetchRule {
  /// The policy as an instruction.
  fileprivate var imperative: String {
    switch self {
    case .none: "Do not prefetch"
    case .rows(let count, let screens):
      "Load \(count) row\(count == 1 ? "" : "s") ahead"
        + (screens > 0 ? ", and at least \(Quantity.short(screens)) screens" : "")
    case .screens(let leading, let trailing):
      "Load \(Quantity.short(leading)) screens ahead and \(Quantity.short(trailing)) behind"
    case .flutter: "Load the rows within 250 px (flutter)"
    case .compose: "Load one row ahead of a moving list (compose)"
    case .deadline: "Load the rows that are due soon (deadline)"
    case .landing: "Load the rows up to the end of a fling (landing)"
    }
  }
}
