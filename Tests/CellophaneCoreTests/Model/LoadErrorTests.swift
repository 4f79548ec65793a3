@testable internal import CellophaneCore
internal import Foundation
internal import Testing

@Suite("Load errors as errors of other types")
struct LoadErrorTests {
  private struct Other: Error {}

  @Test("the text that applications show is the message", arguments: LoadError.Kind.allCases)
  func localized(kind: LoadError.Kind) {
    let error: any Error = LoadError(kind, "the host is away")
    #expect(error.localizedDescription == "the host is away")
    #expect("\(error)" == "\(kind.rawValue): the host is away")
    let bridged = error as NSError
    #expect(bridged.domain == "Cellophane.LoadError" && bridged.localizedDescription == "the host is away")
    #expect(bridged.code == LoadError.Kind.allCases.firstIndex(of: kind)! + 1)
  }

  @Test("the codes of kinds do not change")
  func codes() {
    let codes = LoadError.Kind.allCases.map { LoadError($0, "").errorCode }
    #expect(codes == Array(1...21))
    #expect(LoadError(.cancelled, "").errorCode == 1 && LoadError(.timeout, "").errorCode == 7)
    #expect(LoadError(.closed, "").errorCode == 19 && LoadError(.busy, "").errorCode == 20)
  }

  @Test("an untyped error becomes a load error")
  func untyped() async {
    let status = LoadError(.status, "404", status: 404)
    #expect(LoadError(status as any Error) == status)
    #expect(LoadError(CancellationError()) == .cancelled)
    #expect(LoadError(Other()).kind == .io && LoadError(Other()).message == "Other()")
    do {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { throw status }
        try await group.waitForAll()
      }
    } catch {
      #expect(LoadError(error) == status)
    }
  }
}
