internal import Cellophane

// The code of Sources/Cellophane/Cellophane.docc/Prefetching.md.

@MainActor final class CoverList {
  private let covers: [String]
  private let slots: SlotTable<Int, ImageDecoder>
  private let prefetcher: Prefetcher<ImageDecoder>
  private var visible = 0..<0

  init(_ covers: [String], from images: ImageLoader, draw: @escaping (Int, SlotState<Image>) -> Void) {
    self.covers = covers
    slots = SlotTable(images) { draw($0.key, $0.state) }
    prefetcher = Prefetcher(images)
  }

  /// Call it with every change of the offset, and when a finger touches or leaves the list.
  func didScroll(_ motion: ListMotion) {
    for row in visible where !motion.visible.contains(row) { slots.show(nil, for: row) }
    for row in motion.visible {
      // A failed row that is still visible waits for slots.retry(row).
      if visible.contains(row), case .failed = slots[row] { continue }
      guard var request = request(row) else { continue }
      request.priority = prefetcher.priority(ofVisible: row, in: motion)
      slots.show(request, for: row)
    }
    visible = motion.visible
    prefetcher.follow(motion) { request($0) }
  }

  private func request(_ row: Int) -> ImageRequest? {
    try? ImageRequest(covers[row], size: PixelSize(width: 96, height: 144))
  }
}

/// The motion of a list whose scroll view reports where a fling will come to rest.
func motion(
  ofRows count: Int, viewport: Double, offset: Double, velocity: Double, target: Double?
) -> ListMotion {
  let fling = target.map { Fling(.ios, speed: abs(velocity), distance: abs($0 - offset)) }
  return ListMotion(
    EvenRows(count: count, height: 144), viewport: viewport, offset: offset, velocity: velocity,
    fling: fling)
}

/// The rows of one screen below the visible rows.
struct OneScreenBelow: PrefetchPolicy {
  func rows(for motion: ListMotion, loadTime: Duration) -> [Int] {
    let first = motion.visible.upperBound
    return Array(first..<min(first + motion.visible.count, motion.layout.count))
  }
}

@MainActor func economicalPrefetcher(for images: ImageLoader) -> Prefetcher<ImageDecoder> {
  var configuration = Prefetcher<ImageDecoder>.Configuration()
  configuration.concurrency = 2
  configuration.byteBudget = 32 << 20
  return Prefetcher(images, policy: OneScreenBelow(), configuration: configuration)
}
