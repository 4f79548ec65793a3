extension Advice: Encodable {
  /// Returns the advice as JSON text with sorted keys and a final line break.
  package func json() throws -> [UInt8] { try JSONText.lines(self) }

  private enum CodingKeys: String, CodingKey {
    case schema, tool, reproduce, config, replicas, tolerance, candidates, conditions, memory, concurrency,
      recommendation,
      effects, confirmation, broken
    case wallSeconds = "wall_s"
  }

  private enum ConfirmationKeys: String, CodingKey {
    case seed, configured, recommended, difference, claim
  }

  /// Writes the numbers of all stages, the choice, and the tolerance behind it.
  package func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: CodingKeys.self)
    try object.encode(Self.schema, forKey: .schema)
    try object.encode(tool, forKey: .tool)
    try object.encodeIfPresent(reproduce, forKey: .reproduce)
    try object.encode(config, forKey: .config)
    try object.encode(replicas, forKey: .replicas)
    try object.encode(AdviceRule.tolerance, forKey: .tolerance)
    let (frontier, regrets) = (frontier, regrets)
    try object.encode(
      candidates.map {
        CandidateFields(
          trial: $0, isOnFrontier: frontier.contains($0.prefetch),
          regret: regrets[$0.prefetch].map { RegretFields($0) })
      }, forKey: .candidates)
    try object.encode(conditions, forKey: .conditions)
    try object.encode(memory, forKey: .memory)
    try object.encode(concurrency, forKey: .concurrency)
    try object.encode(
      RecommendationFields(
        prefetch: recommended.name, memory: memory.recommended, concurrency: concurrency.recommended,
        command: command), forKey: .recommendation)
    if !effects.isEmpty { try object.encode(effects, forKey: .effects) }
    if let confirmation {
      var nested = object.nestedContainer(keyedBy: ConfirmationKeys.self, forKey: .confirmation)
      try nested.encode(confirmation.seed, forKey: .seed)
      try nested.encode(confirmation.configured, forKey: .configured)
      try nested.encode(confirmation.recommended, forKey: .recommended)
      try nested.encode(confirmation.difference, forKey: .difference)
      try nested.encode(confirmation.claim, forKey: .claim)
    }
    try object.encode(broken, forKey: .broken)
    try object.encode(wallSeconds, forKey: .wallSeconds)
  }
}

/// A candidate with its place on the frontier and its regret.
private struct CandidateFields: Encodable {
  let trial: Advice.Trial
  let isOnFrontier: Bool
  let regret: RegretFields?

  private enum CodingKeys: String, CodingKey {
    case regret
    case isOnFrontier = "frontier"
  }

  func encode(to encoder: any Encoder) throws {
    try trial.encode(to: encoder)
    var object = encoder.container(keyedBy: CodingKeys.self)
    try object.encode(isOnFrontier, forKey: .isOnFrontier)
    try object.encodeIfPresent(regret, forKey: .regret)
  }
}

private struct RegretFields: Encodable {
  let mean, worst: Double
  let worstCondition, nearBest: Int

  private enum CodingKeys: String, CodingKey {
    case mean, worst
    case worstCondition = "worst_condition"
    case nearBest = "near_best"
  }

  init(_ regret: Advice.Regret) {
    (mean, worst) = (regret.mean, regret.worst)
    (worstCondition, nearBest) = (regret.worstCondition, regret.nearBest)
  }
}

private struct RecommendationFields: Encodable {
  let prefetch: String
  let memory, concurrency: Int
  let command: String?

  private enum CodingKeys: String, CodingKey {
    case prefetch, concurrency, command
    case memory = "memory_bytes"
  }
}

extension Advice.Trial: Encodable {
  private enum CodingKeys: String, CodingKey { case prefetch }

  /// Writes the name of the policy and its numbers in one object.
  package func encode(to encoder: any Encoder) throws {
    try numbers.encode(to: encoder)
    var object = encoder.container(keyedBy: CodingKeys.self)
    try object.encode(prefetch.name, forKey: .prefetch)
  }
}

extension Advice.Condition: Encodable {
  private enum CodingKeys: String, CodingKey { case change, policies }

  /// Writes the change, unless it is the scenario itself, and the policies.
  package func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: CodingKeys.self)
    try object.encodeIfPresent(change, forKey: .change)
    try object.encode(trials, forKey: .policies)
  }
}

extension Advice.Capacity: Encodable {
  private enum CodingKeys: String, CodingKey { case values, configured, enough, recommended }

  /// Writes the tried values and the choice.
  package func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: CodingKeys.self)
    try object.encode(trials, forKey: .values)
    try object.encode(configured, forKey: .configured)
    try object.encode(enough, forKey: .enough)
    try object.encode(recommended, forKey: .recommended)
  }
}

extension Advice.Capacity.Trial: Encodable {
  private enum CodingKeys: String, CodingKey { case value }

  /// Writes the value and its numbers in one object.
  package func encode(to encoder: any Encoder) throws {
    try numbers.encode(to: encoder)
    var object = encoder.container(keyedBy: CodingKeys.self)
    try object.encode(value, forKey: .value)
  }
}
