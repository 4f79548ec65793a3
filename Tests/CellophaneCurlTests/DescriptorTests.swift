#if canImport(Glibc)
  internal import CellophaneTestOrigin
  internal import Glibc
  internal import Testing

  @testable internal import Cellophane

  @Suite("A transport without file descriptors", .timeLimit(.minutes(1)))
  struct DescriptorTests {
    @Test("says so, takes none of the last, and works again when there are some")
    func recovery() async {
      // In a process of its own: the limit is the whole process's.
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
        // None for its bell; its bell, and then none that it may take.
        for count in [newest, newest + 4] {
          setLimit(count)
          let error = await failure(of: "http://127.0.0.1:1/")
          setLimit(256)
          guard error?.kind == .io else { exit(1) }
        }
        // Nor is a task lost that would run on the thread that could not begin.
        let another = CurlTransport()
        setLimit(newest)
        await Task(executorPreference: another.executor) { setLimit(256) }.value
        // A look-up wants a pair of sockets; its bell has what it wants.
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
