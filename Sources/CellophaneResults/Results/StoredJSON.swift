package import Cellophane

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Reads the JSON of results, which may come from anywhere.
package enum StoredJSON {
  /// The maximum number of values, each about 50 bytes in memory: ten times those of a thousand replicas.
  private static let valueLimit = 8_000_000

  /// Returns the name of the schema in `json`.
  ///
  /// - Throws: ``LoadError/Kind/corrupt`` if the schema is missing, or if there are too many values.
  package static func schema(of json: [UInt8]) throws(LoadError) -> String {
    // Checked before decoding. Commas in strings count as well, but they are few.
    guard json.count(where: { $0 == UInt8(ascii: ",") }) < valueLimit else {
      throw LoadError(.corrupt, "it has more than \(valueLimit) values")
    }
    do { return try JSONDecoder().decode(SchemaHeader.self, from: Data(json)).schema } catch {
      throw LoadError(
        .corrupt, (error as? DecodingError)?.message(fallback: "it is not JSON") ?? "it is not JSON")
    }
  }

  /// Decodes a `Result` with the schema `schema` from `json`.
  ///
  /// - Throws: ``LoadError/Kind/corrupt`` for another schema, or with the path of a field that is missing or
  ///   has the wrong type.
  static func read<Result: Decodable>(_ schema: String, from json: [UInt8]) throws(LoadError) -> Result {
    let found = try Self.schema(of: json)
    guard found == schema else {
      throw LoadError(.corrupt, "its schema is '\(found.prefix(60))', not '\(schema)'")
    }
    do { return try JSONDecoder().decode(Result.self, from: Data(json)) } catch let error as LoadError {
      // 250 characters: the complete message, but not an arbitrarily long string in it.
      throw LoadError(.corrupt, String(error.message.prefix(250)))
    } catch {
      let fallback = "a number in it is out of range"
      throw LoadError(.corrupt, (error as? DecodingError)?.message(fallback: fallback) ?? fallback)
    }
  }

  /// Checks the values of a result.
  ///
  /// - Throws: ``LoadError/Kind/corrupt`` with the path of the first invalid field: a field of `config`, or a
  ///   number of `json` that is too large. The fields `except` are skipped, because they have their own
  ///   limits.
  static func check(
    _ config: SimulationConfiguration?, in json: [UInt8], except: Set<String>
  ) throws(LoadError) {
    do { try config?.checkAsPlayed() } catch {
      throw LoadError(.corrupt, "config." + error.message)
    }
    if let (path, text) = JSONWalk.number(beyond: maxNumber, in: json, except: except) {
      throw LoadError(.corrupt, "\(path): \(text.prefix(30)) is out of range")
    }
  }

  /// The maximum of a number in a result. 10¹⁵: a petabyte, or thirty thousand years in ms. It is far below
  /// the largest `Int` and `Double`, so no computation or figure overflows.
  private static let maxNumber = 1e15

  /// The field that identifies the JSON of a result.
  private struct SchemaHeader: Decodable { let schema: String }
}
