extension StudyResult {
  /// Reads the fields that `encode(to:)` writes. Errors have the path of the field.
  package init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: CodingKeys.self)
    schema = try object.located(.schema)
    tool = try object.located(.tool)
    incomplete = try object.locatedIfPresent(.incomplete)
    reproduce = try object.locatedIfPresent(.reproduce)
    kind = try object.located(.kind)
    config = try object.locatedIfPresent(.config)
    suite = try object.locatedIfPresent(.suite)
    parameters = try object.located(.parameters)
    cases = try object.located(.cases)
    replicas = try object.located(.replicas)
    assertions = try object.locatedIfPresent(.assertions) ?? []
    wallSeconds = try object.located(.wallSeconds)
  }
}
