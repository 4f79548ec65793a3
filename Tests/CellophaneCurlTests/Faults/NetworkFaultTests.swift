internal import CellophaneTestOrigin
internal import CellophaneTesting
internal import Dispatch
internal import Testing

@testable internal import Cellophane
internal import TestSupport

/// Every line over real sockets, one after the other: what the origin does, what the caller gets, what the origin
/// sees, and that nothing of a failure is on disk.
@Suite("Network faults", .serialized, .timeLimit(.minutes(5)))
struct NetworkFaultTests {
  @Test(arguments: NetworkFault.connections) func connections(_ fault: NetworkFault) async throws {
    try await play(fault)
  }

  @Test(arguments: NetworkFault.addresses) func addresses(_ fault: NetworkFault) async throws {
    try await play(fault)
  }

  @Test(arguments: NetworkFault.maxIdleConnections) func maxIdleConnections(_ fault: NetworkFault)
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

  @Test(arguments: NetworkFault.redirects) func redirects(_ fault: NetworkFault) async throws {
    try await play(fault)
  }

  @Test(arguments: NetworkFault.tls) func tls(_ fault: NetworkFault) async throws { try await play(fault) }

  private func play(_ fault: NetworkFault) async throws {
    let certificate = try fault.certificate.made()
    let origin = try RawOrigin(identity: certificate?.identity, script: fault.script)
    defer { origin.stop() }
    var configuration = fault.configuration
    configuration.caFile = fault.certificate == .unknown ? nil : certificate?.file
    let witness = Witness(CurlTransport(configuration))
    let disk = DiskCache(directory: "/cache", fileSystem: MemoryFileSystem())
    var loading = ByteLoader.Configuration()
    loading.limits = fault.limits
    // The table counts what one attempt costs.
    loading.retry.retries = 0
    let loader = ByteLoader(transport: witness, disk: disk, configuration: loading)
    let url = fault.url.replacing("HOST", with: "127.0.0.1:\(origin.port)")
    let start = loader.timeline.now
    var outcome = await load(url, over: loader)
    for _ in 1..<fault.loads {
      fault.pause?.isTaken.signal()
      await fault.pause?.isOver.value
      outcome = await load(url, over: loader)
    }
    let took = loader.timeline.now - start
    await witness.close()
    // Its threads have ended then, and its counters stand still.
    origin.stop()
    let seen = witness.seen.value
    if let request = try? Request(url, options: 0) {
      // A redirect is kept as what it is.
      let kept = await disk.response(for: loader.cache.diskKey(of: request.key.response)).flatMap {
        $0.redirectTarget == nil ? String(decoding: $0.body, as: UTF8.self) : nil
      }
      #expect(kept == nil || fault.loads > 1 || outcome == .body(kept ?? ""))
      if let isKept = fault.isKept { #expect((kept != nil) == isKept) }
    }
    if case .error(let kind, _) = outcome, let error = seen.error {
      #expect(error.kind == kind)
      outcome = .error(kind, isRetryable: error.isRetryable)
    }
    #expect(outcome == fault.outcome, "\(seen.error?.message ?? "")")
    #expect(seen.error?.message.contains(fault.says) ?? fault.says.isEmpty, "\(seen.error?.message ?? "")")
    #expect(origin.counters.requests == fault.requests)
    #expect(origin.counters.connections == fault.connections)
    #expect(seen.largestBody <= fault.memory)
    // Fifteen seconds are more than a busy machine takes, and less than the deadlines that no line waits for.
    #expect(took < .seconds(15))
    if case .error(.timeout, _) = fault.outcome {
      #expect(took >= min(fault.limits.firstByte, fault.limits.connect, fault.limits.total))
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

/// The transport, and what it gave. Its errors ask for no second try.
private final class Witness: Transport {
  struct Seen {
    var error: LoadError?
    var largestBody = 0
  }

  let seen = Shared(Seen())
  private let transport: CurlTransport

  init(_ transport: CurlTransport) { self.transport = transport }

  func exchange(_ request: TransportRequest) async throws(LoadError) -> TransportResponse {
    defer { seen.update { $0.largestBody = max($0.largestBody, request.body.count) } }
    do throws(LoadError) {
      return try await transport.exchange(request)
    } catch {
      seen.update { $0.error = error }
      throw LoadError(error.kind, error.message, status: error.status)
    }
  }

  func close() async { await transport.close() }
}

extension NetworkFault.Certificate {
  private static let good = Result { try TestCertificate(for: "IP:127.0.0.1") }
  private static let other = Result { try TestCertificate(for: "DNS:other.example") }
  private static let old = Result { try TestCertificate(for: "IP:127.0.0.1", of: .lastDecade) }
  private static let early = Result { try TestCertificate(for: "IP:127.0.0.1", of: .nextCentury) }

  fileprivate func made() throws -> TestCertificate? {
    switch self {
    case .none: nil
    case .trusted, .unknown: try Self.good.get()
    case .forAnotherName: try Self.other.get()
    case .expired: try Self.old.get()
    case .fromNextCentury: try Self.early.get()
    }
  }
}
