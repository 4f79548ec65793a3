import Cellophane
import CellophaneNetwork
import Testing

@testable import CellophaneResults
@testable import CellophaneSimulation

@Suite struct ConnectionPoolsTests {
  private static func make(origins: Int, connections: Int? = nil) -> ConnectionPools {
    var link = ModeledLink(profile: FlowTransportTests.profile)
    link.origins = origins
    link.sharing = .http1(limit: connections)
    return ConnectionPools(link)
  }

  /// Returns the connections that are set up, with the end of their handshakes in ms.
  private static func handshakes(_ pools: inout ConnectionPools) -> [String] {
    var handshakes: [String] = []
    while let event = pools.nextEvent() {
      if case .connects(_, let assignment) = event {
        handshakes.append("\(assignment.connection) \(assignment.ready / 1_000_000)")
      }
    }
    return handshakes
  }

  @Test func `each origin has its own connections, limit and handshakes`() {
    var pools = Self.make(origins: 2, connections: 1)
    let exchanges = ["http://a", "http://b", "http://a", "http://b"].map { pools.request($0, at: 0) }
    #expect(exchanges == exchanges.sorted() && Set(exchanges).count == 4)
    #expect(Self.handshakes(&pools) == ["1 10", "2 10"])
    for connection in 1...2 {
      let failed = pools.endHandshake(of: connection, hasSucceeded: true, at: 10_000_000)
      #expect(failed == nil)
    }
    #expect(pools.nextEvent() == .assigned(exchanges[0], .init(connection: 1, ready: 10_000_000)))
    #expect(pools.nextEvent() == .assigned(exchanges[1], .init(connection: 2, ready: 10_000_000)))
    // The next exchange of the same origin takes its connection.
    pools.cancel(exchanges[2])
    let isOpen = [2, 1].map {
      pools.release(.init(connection: $0, ready: 0), isClear: true, at: 20_000_000)
    }
    #expect(isOpen == [true, true])
    #expect(pools.nextEvent() == .assigned(exchanges[3], .init(connection: 2, ready: 20_000_000)))
    #expect(pools.nextEvent() == nil)
    #expect(pools.opened == 2 && pools.peakExchanges == 2)
  }

  @Test func `a single origin has the numbers of one pool`() {
    var pools = Self.make(origins: 1)
    #expect((0..<3).map { _ in pools.request("http://a", at: 0) } == [1, 2, 3])
    #expect(Self.handshakes(&pools) == ["1 10", "2 10", "3 10"])
  }
}
