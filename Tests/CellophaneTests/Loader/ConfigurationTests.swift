internal import Cellophane
internal import TestSupport
internal import Testing

@Suite("Memberwise initializers of configurations")
struct ConfigurationTests {
  @Test("each argument sets the property of its name, and has its default")
  func initializers() {
    let loader = ByteLoader.Configuration(
      transfers: 3, transfersPerOrigin: 2, reservedForVisible: 0, maxWaiting: 5, deadline: .seconds(7),
      limits: TransferLimits(bodyBytes: 11), refreshesInBackground: false, ignoredHeaders: ["x-trace"],
      retry: RetryPolicy(retries: 0))
    #expect((loader.transfers, loader.transfersPerOrigin, loader.reservedForVisible) == (3, 2, 0))
    #expect((loader.maxWaiting, loader.deadline, loader.limits.bodyBytes) == (5, .seconds(7), 11))
    #expect(!loader.refreshesInBackground && loader.ignoredHeaders == ["x-trace"])
    #expect(loader.retry.retries == 0)
    let usual = ByteLoader.Configuration()
    #expect((usual.transfers, usual.transfersPerOrigin, usual.reservedForVisible) == (16, 6, 1))
    #expect(usual.maxWaiting == nil && usual.deadline == nil && usual.refreshesInBackground)

    let retry = RetryPolicy(
      retries: 1, firstDelay: .seconds(2), longestWait: .seconds(3), longestOpenTime: .seconds(4), seed: 5)
    #expect((retry.retries, retry.firstDelay, retry.longestWait) == (1, .seconds(2), .seconds(3)))
    #expect(retry.longestOpenTime == .seconds(4) && retry.seed == 5 && RetryPolicy().seed == nil)

    let prefetcher = Prefetcher<NumberDecoder>.Configuration(concurrency: 2, byteBudget: 9)
    #expect(prefetcher.concurrency == 2 && prefetcher.byteBudget == 9)
    #expect(Prefetcher<NumberDecoder>.Configuration(byteBudget: 9).concurrency == 6)
  }
}
