#if canImport(Glibc)
  internal import CellophaneTestOrigin
  internal import Glibc
  internal import Testing

  internal import CCurl
  internal import CellophaneCurl

  @Suite("A transport without file descriptors", .timeLimit(.minutes(1)))
  struct DescriptorTests {
    @Test("reports an I/O error and works again when descriptors are free")
    func recovery() async {
      // Runs in a separate process, because the limit applies to the process.
      await #expect(processExitsWith: .success) {
        func setLimit(_ count: Int32) {
          var limit = rlimit()
          unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
          limit.rlim_cur = rlim_t(count)
          unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
        let transport = CurlTransport()
        func failure(of url: String) async -> LoadError? {
          do throws(LoadError) {
            _ = try await transport.exchange(TransportRequest(url: url))
            return nil
          } catch {
            return error
          }
        }
        let newest = dup(STDERR_FILENO)
        close(newest)
        // No descriptor for the wake-up; then enough for it, but none that a connection may use.
        for count in [newest, newest + 4] {
          setLimit(count)
          let error = await failure(of: "http://127.0.0.1:1/")
          setLimit(256)
          guard error?.kind == .io else { exit(1) }
        }
        // A task that prefers the thread of a loop runs even if that thread cannot start.
        let another = CurlTransport()
        setLimit(newest)
        await Task(executorPreference: another.executor) { setLimit(256) }.value
        // The wake-up descriptor has the last one, so the socket pair of a lookup fails.
        let next = dup(STDERR_FILENO)
        close(next)
        setLimit(next + 1)
        let error = await failure(of: "http://dead.invalid/")
        setLimit(256)
        guard error?.kind == .io else { exit(3) }
        let origin = try RawOrigin(answer: Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8))
        exit(await failure(of: origin.url("/")) == nil ? 0 : 2)
      }
    }
  }
#endif
