#if canImport(Glibc)
  internal import Cellophane
  internal import Foundation
  internal import Glibc
  internal import Testing

  @Suite("A partial write", .timeLimit(.minutes(1)))
  struct PartialWriteTests {
    @Test("a partial write continues after the written part and reports the error")
    func cut() async {
      // A separate process, because the limit applies to a process.
      await #expect(processExitsWith: .success) {
        let path = FileManager.default.temporaryDirectory.path + "/cellophane-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: path) }
        let directory = try POSIXFileSystem().directory(at: path, creating: true)
        signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit(rlim_cur: 30_000, rlim_max: rlim_t.max)
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        let parts = [[UInt8](repeating: 1, count: 20_000), [UInt8](repeating: 2, count: 20_000)]
        #expect {
          try directory.create("f", parts)
        } throws: {
          ($0 as? FileSystemError)?.kind == .system(EFBIG)
        }
        #expect(try directory.read("f", atMost: 40_000).bytes == Array(parts.joined().prefix(30_000)))
      }
    }
  }
#endif
