package import CellophaneCore

/// The objects of a location, with repetition of failed requests. Names of objects are relative to the location.
package struct S3Client: Sendable {
  package let location: S3Location
  package let timeline: Timeline
  private let transport: any S3Transport
  /// Returns random numbers in 0..<1 for the pauses.
  private let random: @Sendable () -> Double
  /// The maximum number of requests for one operation.
  private let tries: Int

  /// 10: the pauses between them take 36 to 72 s in all, longer than the usual restart of a server.
  package static let usualTries = 10

  /// - Parameter tries: The maximum number of requests for one operation.
  package init(
    _ location: S3Location, over transport: any S3Transport, timeline: Timeline, tries: Int = Self.usualTries,
    random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
  ) {
    (self.location, self.transport, self.timeline) = (location, transport, timeline)
    (self.tries, self.random) = (tries, random)
  }

  /// Returns a client that requests at most `tries` times.
  package func limited(toTries tries: Int) -> S3Client {
    S3Client(location, over: transport, timeline: timeline, tries: tries, random: random)
  }

  /// Returns the key of an object.
  package func key(of name: String) -> String { location.prefix + name }

  /// Sends `request` until it succeeds, fails permanently, or was sent the maximum number of times.
  ///
  /// - Throws: The error of the last response; ``S3Error/cancelled`` if the task is cancelled during a pause.
  func send(_ request: S3Request) async throws(S3Error) -> S3Response {
    var attempt = 1
    while true {
      do throws(S3Error) {
        let response = try await transport.send(request)
        // A failure to join the parts of an object has the status 200.
        guard (200...299).contains(response.status), !response.reportsError else { throw S3Error(response) }
        if let root = request.root, S3XML.root(of: response.body) != root {
          throw S3Error("the server does not answer as S3 does; check the endpoint", isRetryable: true)
        }
        return response
      } catch {
        guard error.isRetryable, attempt < tries else { throw error }
      }
      do throws(LoadError) {
        try await timeline.pause(for: Self.pause(after: attempt, random()))
      } catch { throw .cancelled }
      attempt += 1
    }
  }

  /// Returns the pause after a failed request: half of 0.25 s, doubled with each attempt up to 20 s, and a random part of
  /// the other half. A random part keeps many processes from returning at the same time.
  static func pause(after attempt: Int, _ random: Double) -> Duration {
    let longest = min(Duration.milliseconds(250) * (1 << min(attempt - 1, 16)), .seconds(20))
    return longest * (0.5 + random / 2)
  }
}

extension S3Response {
  /// Whether the body is an error in spite of a status of success.
  fileprivate var reportsError: Bool {
    S3XML.root(of: body) == "Error"
  }
}
