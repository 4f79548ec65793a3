package import Cellophane

/// A decoder for decimal numbers. It multiplies the number by the option, so that different options give different
/// values.
package struct NumberDecoder: ResourceDecoder {
  package init() {}

  package func decode(_ bytes: [UInt8], options factor: Int) throws(LoadError) -> Int {
    guard let number = Int(String(decoding: bytes, as: UTF8.self)) else {
      throw LoadError(.corrupt, "not a number")
    }
    return number * factor
  }

  package func workingBytes(for bytes: [UInt8], options: Int) throws(LoadError) -> Int {
    guard !bytes.isEmpty else { throw LoadError(.truncated, "no bytes") }
    return 8
  }

  package func cost(of value: Int) -> Int { 8 }
  package func incremental(options: Int) -> (any IncrementalDecoding<Int>)? {
    IncrementalNumber(factor: options)
  }
}

/// An incremental decoder for decimal numbers. A preview is negative: minus the digits received so far, times the
/// factor.
package final class IncrementalNumber: IncrementalDecoding {
  private let factor: Int
  private var digits: [UInt8] = []

  package init(factor: Int) { self.factor = factor }

  package func feed(_ piece: [UInt8]) throws(LoadError) -> Bool {
    guard piece.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) else {
      throw LoadError(.corrupt, "not a number")
    }
    digits += piece
    return !piece.isEmpty
  }

  package func preview() throws(LoadError) -> Int? {
    Int(String(decoding: digits, as: UTF8.self)).map { -$0 * factor }
  }

  package func finish() throws(LoadError) -> Int {
    try NumberDecoder().decode(digits, options: factor)
  }
}

package typealias NumberRequest = Request<Int>

extension Request where Options == Int {
  /// Creates a request for `number` with the option `factor`.
  package init(
    _ number: Int, times factor: Int = 1, priority: Priority = .normal, policy: CachePolicy = .standard
  ) {
    do throws(LoadError) {
      try self.init(
        "http://origin/\(number)", options: factor, priority: priority, cachePolicy: policy)
    } catch {
      preconditionFailure("\(error)")
    }
  }
}

extension TransportRequest {
  /// The number in the path of the request; -1 without one.
  package var number: Int { Int(url.split(separator: "/").last ?? "") ?? -1 }

  /// Returns a response with this number as its body.
  package func success() -> Result<TransportResponse, LoadError> {
    .success(TransportResponse(status: 200, body: Array("\(number)".utf8), url: url))
  }
}
