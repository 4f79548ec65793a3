#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A decoder of JSON into a `Decodable` type, with Foundation's `JSONDecoder` in its default configuration.
public struct JSONResourceDecoder<Value: Decodable & Sendable>: ResourceDecoder {
  private let costFunction: @Sendable (Value) -> Int

  /// Creates a decoder of `Value`.
  ///
  /// - Parameter cost: Returns the memory of a value in bytes. The default is the size of `Value` itself,
  ///   without the contents of its strings and arrays. Pass a closure for large values.
  public init(
    _ type: Value.Type = Value.self,
    cost: @escaping @Sendable (Value) -> Int = { _ in MemoryLayout<Value>.size }
  ) {
    costFunction = cost
  }

  /// Decodes a complete document.
  ///
  /// - Throws: ``LoadError/Kind/corrupt`` with the path in the document at which it is not a `Value`.
  public func decode(_ bytes: [UInt8], options: NoOptions) throws(LoadError) -> Value {
    do {
      return try JSONDecoder().decode(Value.self, from: Data(bytes))
    } catch let error as DecodingError {
      throw LoadError(.corrupt, Self.sentence(for: error))
    } catch {
      throw LoadError(.corrupt, "the JSON is not a \(Value.self): \(error)")
    }
  }

  /// Returns the result of the closure passed to ``init(_:cost:)``.
  public func cost(of value: Value) -> Int { costFunction(value) }

  /// Returns an estimate: the copy that Foundation parses, its map of the document (8 bytes for each number,
  /// string or bracket, rarely above twice the text), and the value.
  public func workingBytes(for bytes: [UInt8], options: NoOptions) throws(LoadError) -> Int {
    let (estimate, overflow) = bytes.count.multipliedReportingOverflow(by: 4)
    return overflow ? Int.max : estimate
  }

  private static func sentence(for error: DecodingError) -> String {
    let context: DecodingError.Context
    var missing = ""
    switch error {
    case .typeMismatch(_, let found), .valueNotFound(_, let found), .dataCorrupted(let found):
      context = found
    case .keyNotFound(let key, let found):
      context = found
      missing = "." + key.stringValue
    @unknown default:
      return "the JSON is not a \(Value.self)"
    }
    let path = context.codingPath.map { key in
      key.intValue.map { "[\($0)]" } ?? "." + key.stringValue
    }
    return "the JSON is not a \(Value.self) at $\(path.joined())\(missing): \(context.debugDescription)"
  }
}
