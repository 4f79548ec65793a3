#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Decodes JSON into a `Decodable` type, with Foundation's `JSONDecoder` as it comes.
public struct JSONResourceDecoder<Value: Decodable & Sendable>: ResourceDecoder {
  private let costOf: @Sendable (Value) -> Int

  /// A decoder of `Value`.
  ///
  /// - Parameter cost: The memory that a value occupies, in bytes. By default the size of `Value` itself,
  ///   which leaves out what its strings and arrays hold: give a better one for values that are large.
  public init(
    _ type: Value.Type = Value.self,
    cost: @escaping @Sendable (Value) -> Int = { _ in MemoryLayout<Value>.size }
  ) {
    costOf = cost
  }

  /// Decodes a whole document.
  ///
  /// - Throws: ``LoadError/Kind/corrupt`` with the place in the document where it is not a `Value`.
  public func decode(_ bytes: [UInt8], options: NoOptions) throws(LoadError) -> Value {
    do {
      return try JSONDecoder().decode(Value.self, from: Data(bytes))
    } catch let error as DecodingError {
      throw LoadError(.corrupt, Self.sentence(for: error))
    } catch {
      throw LoadError(.corrupt, "the JSON is not a \(Value.self): \(error)")
    }
  }

  /// What the closure given to ``init(_:cost:)`` says.
  public func cost(of value: Value) -> Int { costOf(value) }

  /// An estimate: the copy that Foundation parses, its map of the document (8 bytes for each number, string or
  /// bracket, rarely above twice the text) and the value.
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
