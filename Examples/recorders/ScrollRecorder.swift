import UIKit

/// Records the scrolling of a view for `cellophane simulate --profile log:FILE`.
///
/// UIKit calls `scrollViewDidScroll` in each frame in which the list moves. The recorder replaces the delegate of the view, which does not
/// retain it. Create it after the layout, with the list at its top: the pause until the first movement starts then.
final class ScrollRecorder: NSObject, UIScrollViewDelegate {
  private var lines: [String] = []

  init(_ view: UIScrollView, device: String) {
    super.init()
    let (size, screen) = (view.bounds.size, UIScreen.main)
    lines = [
      "# device=\(device)", "# viewport=\(Int(size.width))x\(Int(size.height))", "# density=\(screen.scale)",
      "# hz=\(screen.maximumFramesPerSecond)", "t_ms,offset_px", "\(CACurrentMediaTime() * 1000),0",
    ]
    view.delegate = self
  }

  func scrollViewDidScroll(_ view: UIScrollView) {
    lines.append("\(CACurrentMediaTime() * 1000),\(view.contentOffset.y + view.adjustedContentInset.top)")
  }

  func write(to url: URL) throws {
    try lines.joined(separator: "\n").write(to: url, atomically: true, encoding: .utf8)
  }
}
