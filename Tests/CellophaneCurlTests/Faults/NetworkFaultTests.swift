internal import CellophaneTestOrigin
internal import CellophaneTesting
internal import Dispatch
internal import Testing

@testable internal import Cellophane
internal import TestSupport

/// Plays every row over real sockets, one after the other. Checks the result, the requests and connections at the
/// origin, and that no failed response is on disk.
@Suite("Network faults", .serialized, .timeLimit(.minutes(5)))
struct NetworkFaultTests {
  @Test(arguments: NetworkFault.connections) func connections(_ fault: NetworkFault) async throws {
    try await play(fault)
  }

  @Test(arguments: NetworkFault.addresses) func addresses(_ fault: NetworkFault) async throws {
    try await play(fault)
  }

  @Test(arguments: NetworkFault.idleConnections) func idleConnections(_ fault: NetworkFault)
    async throws
  {
    try await play(fault)
  }

  @Test(arguments: NetworkFault.lengths) func lengths(_ fault: NetworkFault) async throws {
    try await play(fault)
  }

  @Test(arguments: NetworkFault.chunks) func chunks(_ fault: NetworkFault) async throws {
    try await play(fault)
  }

  @Test(arguments: NetworkFault.codings) func codings(_ fault: NetworkFault) async throws {
    try await play(fault)
  }

  @Test(arguments: NetworkFault.heads) func heads(_ fault: NetworkFault) async throws {
    try await play(fault)
  }

  @Test(arguments: NetworkFault.pages) func pages(_ fault: NetworkFault) async throws {
    try await play(fault)
  }

  @Test(arguments: NetworkFault.redirects) func redirects(_ fault: NetworkFault) async throws {
    try await play(fault)
  }

  @Test(arguments: NetworkFault.tls) func tls(_ fault: NetworkFault) async throws { try await play(fault) }

  private func play(_ fault: NetworkFault) async throws {
    let certificate = try fault.certificate.create()
    let origin = try RawOrigin(identity: certificate?.identity, script: fault.script)
    defer { origin.stop() }
    var configuration = fault.configuration
    configuration.caFile = fault.certificate == .unknown ? nil : certificate?.file
    let transport = RecordingTransport(CurlTransport(configuration))
    let disk = DiskCache(directory: "/cache", fileSystem: MemoryFileSystem())
    var loading = ByteLoader.Configuration()
    loading.limits = fault.limits
    // The rows count the requests of one attempt.
    loading.retry.retries = 0
    let loader = ByteLoader(transport: transport, disk: disk, configuration: loading)
    let url = fault.url.replacing("HOST", with: "127.0.0.1:\(origin.port)")
    let start = loader.timeline.now
    var outcome = await load(url, over: loader)
    for _ in 1..<fault.loads {
      fault.pause?.firstLoadEnded.signal()
      await fault.pause?.mayContinue.value
      outcome = await load(url, over: loader)
    }
    let duration = loader.timeline.now - start
    await transport.close()
    // The origin's threads have then ended, so its counters no longer change.
    origin.stop()
    let record = transport.record.value
    if let request = try? Request(url, options: 0) {
      // A redirect is stored as a redirect.
      let stored = await disk.response(for: loader.cache.diskKey(of: request.key.response)).flatMap {
        $0.redirectTarget == nil ? String(decoding: $0.body, as: UTF8.self) : nil
      }
      #expect(stored == nil || fault.loads > 1 || outcome == .body(stored ?? ""))
      if let isStored = fault.isStored { #expect((stored != nil) == isStored) }
    }
    if case .error(let kind, _) = outcome, let error = record.error {
      #expect(error.kind == kind)
      outcome = .error(kind, isRetryable: error.isRetryable)
    }
    #expect(outcome == fault.outcome, "\(record.error?.message ?? "")")
    #expect(
      record.error?.message.contains(fault.message) ?? fault.message.isEmpty, "\(record.error?.message ?? "")"
    )
    #expect(origin.counters.requests == fault.requests)
    #expect(origin.counters.connections == fault.connections)
    #expect(record.largestBody <= fault.memory)
    // 15 s: more than a busy machine takes, and less than the default deadlines of 20 s, which no row reaches.
    #expect(duration < .seconds(15))
    if case .error(.timeout, _) = fault.outcome {
      #expect(duration >= min(fault.limits.firstByte, fault.limits.connect, fault.limits.total))
    }
  }

  private func load(_ url: String, over loader: ByteLoader) async -> NetworkFault.Outcome {
    do throws(LoadError) {
      let loaded = try await loader.load(try Request(url, options: 0, cachePolicy: .reload))
      return .body(String(decoding: loaded.bytes, as: UTF8.self))
    } catch {
      return .error(error.kind, isRetryable: error.isRetryable)
    }
  }
}

/// A transport that records the errors and body sizes of another one. Its errors are not retryable.
private final class RecordingTransport: Transport {
  struct Record {
    var error: LoadError?
    var largestBody = 0
  }

  let record = Shared(Record())
  private let transport: CurlTransport

  init(_ transport: CurlTransport) { self.transport = transport }

  func exchange(_ request: TransportRequest) async throws(LoadError) -> TransportResponse {
    defer { record.update { $0.largestBody = max($0.largestBody, request.body.count) } }
    do throws(LoadError) {
      return try await transport.exchange(request)
    } catch {
      record.update { $0.error = error }
      throw LoadError(error.kind, error.message, status: error.status)
    }
  }

  func close() async { await transport.close() }
}

extension NetworkFault.Certificate {
  private static let validCertificate = Result { try TestCertificate(for: "IP:127.0.0.1") }
  private static let otherNameCertificate = Result { try TestCertificate(for: "DNS:other.example") }
  private static let expiredCertificate = Result {
    try TestCertificate(for: "IP:127.0.0.1", valid: .lastDecade)
  }
  private static let futureCertificate = Result {
    try TestCertificate(for: "IP:127.0.0.1", valid: .nextCentury)
  }

  fileprivate func create() throws -> TestCertificate? {
    switch self {
    case .none: nil
    case .trusted, .unknown: try Self.validCertificate.get()
    case .forAnotherName: try Self.otherNameCertificate.get()
    case .expired: try Self.expiredCertificate.get()
    case .fromNextCentury: try Self.futureCertificate.get()
    }
  }
}
