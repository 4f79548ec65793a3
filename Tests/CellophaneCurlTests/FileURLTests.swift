internal import Testing

@testable internal import CellophaneCurl

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

@Suite(.timeLimit(.minutes(1))) struct FileURLTests {
  private func exchange(_ url: String, limit: Int = 1000, isAllowed: Bool = true) async throws
    -> TransportResponse
  {
    var configuration = CurlTransport.Configuration()
    configuration.allowsFiles = isAllowed
    let transport = CurlTransport(configuration)
    var limits = TransferLimits()
    limits.bodyBytes = limit
    do {
      let response = try await transport.exchange(TransportRequest(url: url, limits: limits))
      await transport.close()
      return response
    } catch {
      await transport.close()
      throw error
    }
  }

  private func withFolder(_ body: (String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "cellophane-\(UUID())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let outcome: Result<Void, any Error>
    do { outcome = .success(try await body(folder)) } catch { outcome = .failure(error) }
    try FileManager.default.removeItem(atPath: folder)
    try outcome.get()
  }

  @Test func `a file is read if files are allowed`() async throws {
    try await withFolder { folder in
      let bytes = (0..<777).map { UInt8(truncatingIfNeeded: $0) }
      try Data(bytes).write(to: URL(filePath: folder + "/a b.bin"))
      let response = try await exchange("file://\(folder)/a%20b.bin")
      #expect(response.status == 200)
      #expect(response.body == bytes)
      try Data().write(to: URL(filePath: folder + "/empty"))
      #expect(try await exchange("file://\(folder)/empty").body == [])
    }
  }

  @Test func `a large, forbidden, missing or special file is an error`() async throws {
    try await withFolder { folder in
      try Data(count: 1001).write(to: URL(filePath: folder + "/large"))
      for (path, isAllowed, kind) in [
        ("/large", true, LoadError.Kind.bodyTooLarge), ("/large", false, .refused), ("/missing", true, .io),
        ("", true, .io),
      ] {
        let error = await #expect(throws: LoadError.self) {
          try await exchange("file://\(folder)\(path)", isAllowed: isAllowed)
        }
        #expect(error?.kind == kind, "\(path)")
      }
      let device = await #expect(throws: LoadError.self) { try await exchange("file:///dev/zero") }
      #expect(device?.kind == .io)
    }
  }
}
