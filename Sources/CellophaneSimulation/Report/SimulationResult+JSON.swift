public import Cellophane

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension SimulationResult {
  /// The result as JSON text with sorted keys and a final line break.
  public func json() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(self)) + [UInt8(ascii: "\n")]
  }

  /// The result as JSON text in one line.
  func compactJSON() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }

  /// Reads what ``json()`` writes.
  ///
  /// - Throws: ``LoadError/Kind/corrupt`` with what is wrong: that it is JSON of another shape, or the path of a field
  ///   that is missing, cannot be what it is, or has a number that no run comes to.
  public init(json: [UInt8]) throws(LoadError) {
    let (decoder, data) = (JSONDecoder(), Data(json))
    let schema: String
    do { schema = try decoder.decode(Shape.self, from: data).schema } catch {
      throw LoadError(
        .corrupt, (error as? DecodingError)?.sentence(ofAll: "it is not JSON") ?? "it is not JSON")
    }
    guard schema == Self.schema else {
      throw LoadError(.corrupt, "its schema is '\(schema.prefix(60))', not '\(Self.schema)'")
    }
    do { self = try decoder.decode(Self.self, from: data) } catch let error as LoadError {
      // 250: the sentence, and not all of a text in it that does not end.
      throw LoadError(.corrupt, String(error.message.prefix(250)))
    } catch {
      let unfit = "a number in it does not fit"
      throw LoadError(.corrupt, (error as? DecodingError)?.sentence(ofAll: unfit) ?? unfit)
    }
    do { try config.checkAsPlayed() } catch {
      throw LoadError(.corrupt, "config." + error.message)
    }
    // The configuration and the recording have limits of their own.
    if let (path, text) = JSONWalk.number(
      beyond: Self.largest, in: json, except: [CodingKeys.config.rawValue, CodingKeys.recording.rawValue])
    {
      throw LoadError(.corrupt, "\(path): \(text.prefix(30)) is more than any run comes to")
    }
  }

  /// The largest number of a result. 10¹⁵: a petabyte, or thirty thousand years of ms, and so far below the largest
  /// `Int` and `Double` that nothing that is computed or drawn overflows.
  private static let largest = 1e15

  /// What tells a result from other JSON.
  private struct Shape: Decodable { let schema: String }
}

extension DecodingError {
  /// What is wrong, and where; `whole` when that is nowhere.
  fileprivate func sentence(ofAll whole: String) -> String {
    func place(_ context: Context) -> String {
      context.codingPath.isEmpty ? "it" : ScenarioField.path(context.codingPath)
    }
    return switch self {
    case .keyNotFound(let key, let context):
      "\(ScenarioField.path(context.codingPath + [key])) is missing"
    case .valueNotFound(_, let context): "\(place(context)) is null"
    case .typeMismatch(_, let context): "\(place(context)) is of the wrong kind"
    case .dataCorrupted(let context):
      context.codingPath.isEmpty ? whole : "\(place(context)): \(context.debugDescription)"
    @unknown default: "it is no result"
    }
  }
}
