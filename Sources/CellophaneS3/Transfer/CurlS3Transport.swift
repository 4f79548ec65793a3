internal import CellophaneCore
internal import Synchronization

/// Signs requests and sends them over a number of connections.
///
/// Each connection blocks a separate thread while it sends a request. A request waits until a connection is free.
package final class CurlS3Transport: S3Transport {
  /// The server, the credentials and the network.
  package struct Configuration: Sendable {
    package var endpoint: S3Endpoint
    package var credentials: S3Credentials
    package var userAgent: String
    /// The file of trusted certificates; nil for those of the system.
    package var caFile: String?
    /// The URL of the proxy, empty for none; nil for that of the environment.
    package var proxy: String?

    package init(_ endpoint: S3Endpoint, _ credentials: S3Credentials, userAgent: String) {
      (self.endpoint, self.credentials, self.userAgent) = (endpoint, credentials, userAgent)
    }
  }

  private struct State {
    var idle: [CurlConnection] = []
    /// The number of connections that may still be created.
    var rest: Int
    var waiters: [OneShot<CurlConnection>] = []
  }

  private let configuration: Configuration
  private let state: Mutex<State>

  /// - Parameter connections: The maximum number of concurrent requests.
  package init(_ configuration: Configuration, connections: Int) {
    self.configuration = configuration
    state = Mutex(State(rest: connections))
  }

  package func send(_ request: S3Request) async throws(S3Error) -> S3Response {
    let connection = await acquire()
    let result = await connection.send(request)
    release(connection)
    return try result.get()
  }

  private func acquire() async -> CurlConnection {
    let slot = OneShot<CurlConnection>()
    state.withLock { state in
      if let idle = state.idle.popLast() {
        slot.settle(idle)
      } else if state.rest > 0 {
        state.rest -= 1
        slot.settle(CurlConnection(configuration))
      } else {
        state.waiters.append(slot)
      }
    }
    return await slot.value
  }

  private func release(_ connection: CurlConnection) {
    let waiter = state.withLock { state -> OneShot<CurlConnection>? in
      if state.waiters.isEmpty {
        state.idle.append(connection)
        return nil
      }
      return state.waiters.removeFirst()
    }
    waiter?.settle(connection)
  }
}
