internal import Cellophane
internal import Dispatch
internal import FlyingFox
internal import Foundation

// GET /thumbnail?url=URL&size=SIDE
//
//   swift run -c release thumbnails [--port 8080] [--cache FOLDER] [--deadline SECONDS] [--allow-loopback]

/// Responds with the thumbnail that the query of `request` names.
func respond(to request: HTTPRequest, by service: ThumbnailService) async -> HTTPResponse {
  do throws(LoadError) {
    let side = request.query["size"].map { Int($0) ?? 0 } ?? 256
    let wanted = try service.request(for: request.query["url"] ?? "", side: side)
    return HTTPResponse(await service.respond(to: wanted))
  } catch {
    return HTTPResponse(.failure(error))
  }
}

extension HTTPResponse {
  init(_ response: ThumbnailService.Response) {
    var headers = HTTPHeaders()
    for (name, value) in response.headers { headers[HTTPHeader(name)] = value }
    self.init(
      statusCode: HTTPStatusCode(response.status, phrase: ""), headers: headers, body: Data(response.body))
  }
}

/// Returns the word after the option `name`.
func option(_ name: String) -> String? {
  let words = CommandLine.arguments
  return words.firstIndex(of: name).flatMap { $0 + 1 < words.count ? words[$0 + 1] : nil }
}

@main
struct Server {
  static func main() async throws {
    // Loopback addresses are for the benchmark. A public server that permits them lets strangers into its network.
    let allowsLoopback = CommandLine.arguments.contains("--allow-loopback")
    let deadline = option("--deadline").flatMap { Int($0) } ?? 15
    let (service, transport) = makeService(
      cachedIn: option("--cache") ?? "thumbnails-cache",
      addresses: allowsLoopback ? .publicOnly.allowing("127.0.0.0/8", "::1") : .publicOnly,
      deadline: .seconds(deadline))

    // The timeout of FlyingFox is later than the deadline of the service, so that each client gets the response of the
    // service, a 504.
    let port = option("--port").flatMap { UInt16($0) } ?? 8080
    let server = HTTPServer(port: port, timeout: TimeInterval(deadline + 5), logger: .disabled)
    await server.appendRoute("GET /thumbnail") { await respond(to: $0, by: service) }

    // SIGTERM stops the server after the responses in progress.
    signal(SIGTERM, SIG_IGN)
    let signals = DispatchSource.makeSignalSource(signal: SIGTERM)
    signals.setEventHandler { @Sendable in Task { await server.stop(timeout: TimeInterval(deadline + 5)) } }
    signals.resume()
    do { try await server.run() } catch { print("the server stopped: \(error)") }
    await shutDown(service, transport)
  }
}
