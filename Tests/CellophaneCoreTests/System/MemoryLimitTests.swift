internal import CellophaneCore
internal import Testing

@Suite struct MemoryLimitTests {
  @Test func `the limits of a group and of its parents count`() {
    #expect(
      MemoryLimit.files(of: "0::/a/b\n") == [
        "/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/a/memory.max", "/sys/fs/cgroup/a/b/memory.max",
      ])
    #expect(
      MemoryLimit.files(of: "5:cpu:/x\n4:hugetlb,memory:/y\n") == [
        "/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/y/memory.limit_in_bytes",
      ])
    for text in ["", "\n", "0:", "0::", "a:b"] { #expect(MemoryLimit.files(of: text).count <= 1, "\(text)") }
  }

  @Test(arguments: [
    ("268435456\n", 268_435_456), ("max\n", nil), ("", nil), ("9223372036854771712\n", nil), ("x1", nil),
  ])
  func `a limit is a number of bytes`(text: String, bytes: Int?) {
    #expect(MemoryLimit.bytes(in: text) == bytes)
  }

  @Test func `an address space leaves less to data than it has, and a minimum`() {
    #expect(MemoryLimit.bytes(ofAddressSpace: 1 << 30) == 624 << 20)
    for limit in [0, 100 << 20, 464 << 20] { #expect(MemoryLimit.bytes(ofAddressSpace: limit) == 64 << 20) }
    #expect(MemoryLimit.bytes(ofAddressSpace: .max) == Int.max - (400 << 20))
  }
}
