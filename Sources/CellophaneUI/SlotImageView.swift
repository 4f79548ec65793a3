#if canImport(UIKit) && !os(watchOS)
  public import Cellophane
  public import UIKit

  /// An image view that shows requests through a `Slot`. In a cell, `prepareForReuse` only calls `show(nil)`.
  ///
  /// Not tested, because it needs UIKit. Logic belongs in `Slot`; this view only passes requests and states on.
  public final class SlotImageView: UIImageView {
    private let placeholder: UIImage?
    private var slot: Slot<ImageDecoder>?

    /// Creates a view.
    ///
    /// - Parameters:
    ///   - loader: The loader of its images.
    ///   - placeholder: The image that the view shows without another one.
    public init(_ loader: ImageLoader, placeholder: UIImage? = nil) {
      self.placeholder = placeholder
      super.init(frame: .zero)
      image = placeholder
      slot = Slot(loader, showsPreviews: true) { [weak self] state in self?.draw(state) }
    }

    /// Not available: a storyboard cannot provide a loader.
    @available(*, unavailable)
    public required init?(coder: NSCoder) { return nil }

    /// Shows the image of `request`, or the placeholder for nil; see `Slot.show`.
    public func show(_ request: ImageRequest?) { slot?.show(request) }

    /// Repeats a failed load.
    public func retry() { slot?.retry() }

    private func draw(_ state: SlotState<Image>) {
      image = state.value?.cgImage.map { UIImage(cgImage: $0) } ?? placeholder
    }
  }
#endif
