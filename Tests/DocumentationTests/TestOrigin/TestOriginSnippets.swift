internal import Cellophane
internal import CellophaneTestOrigin
internal import CellophaneTesting
internal import Testing

// The code of Sources/CellophaneTestOrigin/CellophaneTestOrigin.docc/CellophaneTestOrigin.md.

@Suite("Test origins")
struct TestOriginSnippets {
  /// The kind of error with which the load of `url` ends; nil when it succeeds.
  private func failure(_ url: String, from loader: ByteLoader) async -> LoadError.Kind? {
    do throws(LoadError) {
      _ = try await loader.load(Request(url, options: NoOptions()))
      return nil
    } catch {
      return error.kind
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func overSockets() async throws {
    let origin = try TestOrigin(network: NetworkProfile(parsing: "wpt-fios")) { request in
      var response = OriginResponse(
        headers: ["cache-control": "no-store"], body: [UInt8](repeating: 7, count: 1_000))
      if request.path == "/broken" { response.ending = .closed(after: 400) }
      return response
    }
    defer { origin.stop() }
    var configuration = ByteLoader.Configuration()
    configuration.retry.retries = 0
    let loader = ByteLoader(transport: CurlTransport(), configuration: configuration)

    #expect(await failure(origin.url("/whole"), from: loader) == nil)
    #expect(await failure(origin.url("/broken"), from: loader) == .connectionLost)
    #expect(origin.requestsByTarget == ["/whole": 1, "/broken": 1])
  }
}
