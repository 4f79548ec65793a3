internal import Cellophane

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Reads the JSON of results, which anybody may have written.
enum StoredJSON {
  /// The most values that are read, some fifty bytes each once they are: ten times those of a thousand replicas.
  private static let mostValues = 8_000_000

  /// The name of the shape that `json` says to have.
  ///
  /// - Throws: ``LoadError/Kind/corrupt`` when it says none, or has more values than any result.
  static func schema(of json: [UInt8]) throws(LoadError) -> String {
    // Told before they are made. Commas in texts count, too: there are few.
    guard json.count(where: { $0 == UInt8(ascii: ",") }) < mostValues else {
      throw LoadError(.corrupt, "it has more than \(mostValues) values")
    }
    do { return try JSONDecoder().decode(Shape.self, from: Data(json)).schema } catch {
      throw LoadError(
        .corrupt, (error as? DecodingError)?.sentence(ofAll: "it is not JSON") ?? "it is not JSON")
    }
  }

  /// The `Result` that `json` has, whose shape is called `schema`.
  ///
  /// - Throws: ``LoadError/Kind/corrupt`` with what is wrong: that it is JSON of another shape, or the path of a field
  ///   that is missing or cannot be what it is.
  static func read<Result: Decodable>(_ schema: String, from json: [UInt8]) throws(LoadError) -> Result {
    let found = try Self.schema(of: json)
    guard found == schema else {
      throw LoadError(.corrupt, "its schema is '\(found.prefix(60))', not '\(schema)'")
    }
    do { return try JSONDecoder().decode(Result.self, from: Data(json)) } catch let error as LoadError {
      // 250: the sentence, and not all of a text in it that does not end.
      throw LoadError(.corrupt, String(error.message.prefix(250)))
    } catch {
      let unfit = "a number in it does not fit"
      throw LoadError(.corrupt, (error as? DecodingError)?.sentence(ofAll: unfit) ?? unfit)
    }
  }

  /// - Throws: ``LoadError/Kind/corrupt`` with the path of the first field that no result can have: one of `config`, or
  ///   a number in `json` outside of the fields `except`, which have limits of their own.
  static func check(
    _ config: SimulationConfiguration?, in json: [UInt8], except: Set<String>
  ) throws(LoadError) {
    do { try config?.checkAsPlayed() } catch {
      throw LoadError(.corrupt, "config." + error.message)
    }
    if let (path, text) = JSONWalk.number(beyond: largest, in: json, except: except) {
      throw LoadError(.corrupt, "\(path): \(text.prefix(30)) is more than any run comes to")
    }
  }

  /// The largest number of a result. 10¹⁵: a petabyte, or thirty thousand years of ms, and so far below the largest
  /// `Int` and `Double` that nothing that is computed or drawn overflows.
  private static let largest = 1e15

  /// What tells a result from other JSON.
  private struct Shape: Decodable { let schema: String }
}
