internal import Cellophane
internal import CellophaneTesting
internal import Testing

// The code of Sources/CellophaneTesting/CellophaneTesting.docc/FaultInjection.md.

/// Loads one response over a disk cache in `files`, as a new process does.
private func load(over files: MemoryFileSystem) -> (body: [UInt8]?, transfers: Int) {
  let time = VirtualTime()
  let timeline = time.timeline()
  let transport = ScriptedTransport(timeline: timeline) { request in
    .init(
      .success(
        TransportResponse(
          status: 200, headers: ["cache-control": "max-age=600"], body: [1, 2, 3], url: request.url)))
  }
  let disk = DiskCache.inMemory(files, executor: time.lane(), timeline: timeline)
  let loader = ByteLoader(transport: transport, disk: disk, timeline: timeline)
  let body = time.run { () -> [UInt8]? in
    let loaded = try? await loader.load(Request("http://example.com/a", options: NoOptions()))
    await loader.settle()
    return loaded?.bytes
  }
  return (body ?? nil, transport.counters.started)
}

@Suite("Fault injection")
struct FaultInjectionSnippets {
  @Test func everyOperationMayFail() {
    let flawless = MemoryFileSystem()
    #expect(load(over: flawless).body == [1, 2, 3])

    for number in 1...flawless.operations {
      let files = MemoryFileSystem()
      files.inject(.failures(number...number, .full))
      #expect(load(over: files).body == [1, 2, 3], "operation \(number)")
    }
  }

  @Test(arguments: MemoryFileSystem.Tear.allCases)
  func everyOperationMayBeTheLast(tear: MemoryFileSystem.Tear) {
    let flawless = MemoryFileSystem()
    _ = load(over: flawless)

    for number in 1...flawless.operations {
      let files = MemoryFileSystem()
      files.inject(.torn(at: number))
      _ = load(over: files)
      // The next process starts on the files of the crashed one.
      files.restart(tearing: tear)
      #expect(load(over: files).body == [1, 2, 3], "crash in operation \(number), \(tear)")
    }
  }

  @Test func fullDevice() {
    let files = MemoryFileSystem()
    files.device = .init(capacity: 64 << 20, othersTakeAll: true)
    #expect(load(over: files).body == [1, 2, 3])
    #expect(load(over: files).transfers == 1)

    // The other programs free their space.
    files.device = .init(capacity: 64 << 20)
    _ = load(over: files)
    #expect(load(over: files).transfers == 0)
  }

  @Test func damagedFile() throws {
    let files = MemoryFileSystem()
    _ = load(over: files)
    #expect(load(over: files).transfers == 0)

    for path in files.files.keys.sorted() {
      files.plant(Array("not a response".utf8), at: path)
    }
    #expect(load(over: files) == (body: [1, 2, 3], transfers: 1))
  }
}
