internal import Testing

@testable internal import CellophaneBatch

@Suite struct FifoTests {
  @Test func `the first in is the first out`() {
    var fifo = Fifo<Int>()
    for number in 0..<9 { fifo.append(number) }
    #expect(fifo.popFirst() == 0)
    fifo.prepend(9)
    fifo.filter { $0.isMultiple(of: 3) }
    #expect([fifo.popFirst(), fifo.popFirst(), fifo.popFirst(), fifo.popFirst()] == [9, 3, 6, nil])
    #expect(fifo.isEmpty)
  }

  @Test func `the last element can also be removed`() {
    var fifo = Fifo<Int>()
    for number in 0..<9 { fifo.append(number) }
    #expect([fifo.popLast(), fifo.popFirst(), fifo.popFirst(), fifo.popLast()] == [8, 0, 1, 7])
    fifo.prepend(1)
    fifo.append(7)
    var rest: [Int] = []
    while let last = fifo.popLast() { rest.append(last) }
    #expect(rest == [7, 6, 5, 4, 3, 2, 1] && fifo.isEmpty && fifo.popLast() == nil)
  }

  /// Thousands of idle hosts are remembered.
  @Test func `an empty queue holds no memory`() throws {
    var fifo = Fifo<Int>()
    for number in 0..<9 { fifo.append(number) }
    while fifo.popFirst() != nil && fifo.popLast() != nil {}
    let elements = try #require(Mirror(reflecting: fifo).descendant("elements") as? [Int?])
    #expect(elements.capacity == 0)
  }
}
