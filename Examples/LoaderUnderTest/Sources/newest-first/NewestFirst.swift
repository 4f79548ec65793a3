import Cellophane
import CellophaneSimulation

/// A loader of one image at a time. The row that entered the screen last is the first.
final class NewestFirst: RowLoader {
  private let context: LoaderContext
  private var waiting: [(slot: Int, row: Int)] = []
  private var current: (slot: Int, task: Task<Void, Never>)?

  init(_ context: LoaderContext) { self.context = context }

  func bind(_ slot: Int, to row: Int, isolation: isolated any Actor) {
    waiting.append((slot, row))
    startNext(isolation: isolation)
  }

  func unbind(_ slot: Int, isolation: isolated any Actor) {
    waiting.removeAll { $0.slot == slot }
    if current?.slot == slot { current?.task.cancel() }
  }

  func end(isolation: isolated any Actor) {
    waiting = []
    current?.task.cancel()
  }

  private func startNext(isolation: isolated any Actor) {
    guard current == nil, let (slot, row) = waiting.popLast(), let request = context.request(of: row) else {
      return
    }
    let task = context.timeline.spawn { [self] in
      do throws(LoadError) {
        let response = try await context.transport.exchange(TransportRequest(url: request.url))
        let image = try await context.decode(response.body, for: request)
        if !Task.isCancelled { context.show(image, in: slot) }
      } catch {
        if error.kind != .cancelled { context.fail(slot, with: error) }
      }
      current = nil
      startNext(isolation: isolation)
    }
    current = (slot, task)
  }
}
