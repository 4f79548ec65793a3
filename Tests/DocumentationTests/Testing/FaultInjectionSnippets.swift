internal import Cellophane
internal import CellophaneTesting
internal import Testing

// The code of Sources/CellophaneTesting/CellophaneTesting.docc/FaultInjection.md.

/// Loads one response through the disk cache of `world`.
private func load(_ world: LoaderWorld) -> String? {
  world.origin.script("http://h/a", .ok("one", ["cache-control": "max-age=600"]))
  return world.time.run {
    let text = await world.load("http://h/a")
    await world.bytes.settle()
    return text
  }
}

@Suite("Fault injection")
struct FaultInjectionSnippets {
  @Test func everyOperationMayFail() {
    let flawless = LoaderWorld()
    #expect(load(flawless) == "one network")

    for number in 1...flawless.files.operations {
      let world = LoaderWorld()
      world.files.inject(.failures(number...number, .full))
      #expect(load(world) == "one network", "operation \(number)")
    }
  }

  @Test(arguments: MemoryFileSystem.Tear.allCases)
  func everyOperationMayBeTheLast(tear: MemoryFileSystem.Tear) {
    let flawless = LoaderWorld()
    _ = load(flawless)

    for number in 1...flawless.files.operations {
      let world = LoaderWorld()
      world.files.inject(.torn(at: number))
      _ = load(world)
      // The next process starts on the files of the crashed one.
      let text = load(world.restarted(tearing: tear))
      #expect(text?.hasPrefix("one ") == true, "crash in operation \(number), \(tear)")
    }
  }

  @Test func fullDevice() {
    let world = LoaderWorld()
    world.files.device = .init(capacity: 64 << 20, othersTakeAll: true)
    #expect(load(world) == "one network")
    #expect(load(world.restarted()) == "one network")

    // The other programs free their space.
    world.files.device = .init(capacity: 64 << 20)
    _ = load(world.restarted())
    #expect(load(world.restarted()) == "one disk")
  }

  @Test func damagedFile() throws {
    let world = LoaderWorld()
    _ = load(world)
    #expect(load(world.restarted()) == "one disk")

    for path in world.files.files.keys.sorted() {
      world.files.plant(Array("not a response".utf8), at: path)
    }
    #expect(load(world.restarted()) == "one network")
  }
}
