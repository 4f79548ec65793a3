import Cellophane
import Foundation

/// The program `transfers LIST IN-FLIGHT`, which loads every URL of a list through the transport and drops
/// the bodies.
@main
struct Transfers {
  static func main() async throws {
    let list = try String(contentsOfFile: CommandLine.arguments[1], encoding: .utf8)
    let urls = list.split(separator: "\n").map(String.init)
    let transport = CurlTransport()
    var failed = 0
    await withTaskGroup(of: Bool.self) { group in
      var rest = urls[...]
      func startOne() {
        guard let url = rest.popFirst() else { return }
        group.addTask {
          let response = try? await transport.exchange(TransportRequest(url: url))
          return response?.status == 200
        }
      }
      for _ in 0..<(Int(CommandLine.arguments[2]) ?? 1) { startOne() }
      for await isLoaded in group {
        if !isLoaded { failed += 1 }
        startOne()
      }
    }
    await transport.close()
    if failed > 0 { throw Failed(count: failed) }
  }

  struct Failed: Error { let count: Int }
}
