internal import Testing

@testable internal import CellophaneBatch

@Suite("The evidence that a host refuses only certain records")
struct RefusalEvidenceTests {
  /// Returns the evidence of a host that answered enough records.
  private func answering(_ count: Int = RefusalEvidence.considered) -> RefusalEvidence {
    var evidence = RefusalEvidence()
    for _ in 0..<count { evidence.note(.served, isRetry: false) }
    return evidence
  }

  @Test(arguments: [HostSignal.limited, .limitedAgain, .unavailable, .failed])
  func `retries that are refused concern their records, until others are answered`(refusal: HostSignal) {
    var evidence = answering()
    for _ in 1..<RefusalEvidence.fewestRetries { evidence.note(refusal, isRetry: true) }
    #expect(!evidence.isOfRecords)
    evidence.note(refusal, isRetry: true)
    #expect(evidence.isOfRecords)
    for signal in [HostSignal.served, .answered(firstByte: .zero), .recovered] {
      var answered = evidence
      for number in 1...3 {
        answered.note(signal, isRetry: true)
        #expect(answered.isOfRecords == (number <= 2))
      }
    }
    for signal in [HostSignal.kept, .rejected, .refused, .silent] { evidence.note(signal, isRetry: true) }
    #expect(evidence.isOfRecords)
  }

  @Test func `earlier retries count less`() {
    var evidence = answering()
    for _ in 0..<1_000 { evidence.note(.served, isRetry: true) }
    for _ in 0..<300 { evidence.note(.limited, isRetry: true) }
    #expect(evidence.isOfRecords)
  }

  @Test func `a host that refuses many first requests has a limit`() {
    var evidence = answering()
    for _ in 0..<RefusalEvidence.mostRefused { evidence.note(.limited, isRetry: false) }
    for _ in 0..<9 { evidence.note(.limited, isRetry: true) }
    #expect(evidence.isOfRecords)
    evidence.note(.limited, isRetry: false)
    #expect(!evidence.isOfRecords)
    // A host that has answered few records.
    evidence = answering(10)
    for _ in 0..<9 { evidence.note(.unavailable, isRetry: true) }
    #expect(!evidence.isOfRecords)
  }

  @Test func `first requests say nothing about retries`() {
    var evidence = answering()
    for _ in 0..<4 { evidence.note(.failed, isRetry: false) }
    for _ in 1..<RefusalEvidence.fewestRetries { evidence.note(.failed, isRetry: true) }
    #expect(!evidence.isOfRecords)
    evidence.note(.failed, isRetry: true)
    #expect(evidence.isOfRecords)
    for _ in 0..<3 { evidence.note(.recovered, isRetry: false) }
    #expect(!evidence.isOfRecords)
  }
}
