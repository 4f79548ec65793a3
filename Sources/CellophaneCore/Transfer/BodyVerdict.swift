/// The judgement of a body by its beginning.
package enum BodyVerdict: Sendable {
  /// More bytes are needed.
  case undecided
  /// The body is loaded.
  case accepted
  /// The transfer ends with this error.
  case refused(LoadError)
}

/// The judgement of a body while it arrives.
struct BodyJudgement: Sendable {
  private var judge: (@Sendable ([UInt8]) -> BodyVerdict)?
  /// The number of bytes at which the beginning is judged again. It grows by a factor, so that all judgements take a time
  /// that is linear in the size of the header.
  private var next = 1

  init(_ judge: (@Sendable ([UInt8]) -> BodyVerdict)?) { self.judge = judge }

  /// Returns the error of a body that begins with `bytes`, if it is refused.
  mutating func refusal(of bytes: [UInt8]) -> LoadError? {
    guard let judge, bytes.count >= next else { return nil }
    next = bytes.count + max(bytes.count / 16, 64)
    switch judge(bytes) {
    case .undecided: return nil
    case .accepted: self.judge = nil
    case .refused(let error): return error
    }
    return nil
  }
}
