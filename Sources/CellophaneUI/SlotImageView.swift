#if canImport(UIKit) && !os(watchOS)
  public import Cellophane
  public import UIKit

  /// The picture of a cell: an image view that is a slot. `show(nil)` is all that `prepareForReuse` has to do.
  ///
  /// Not tested, because it needs UIKit: what is more than to hand over belongs into `Slot`.
  public final class SlotImageView: UIImageView {
    private let placeholder: UIImage?
    private var slot: Slot<ImageDecoder>?

    /// A view of what `loader` loads, with `placeholder` as long as there is nothing else to show.
    public init(_ loader: ImageLoader, placeholder: UIImage? = nil) {
      self.placeholder = placeholder
      super.init(frame: .zero)
      image = placeholder
      slot = Slot(loader, showsPreviews: true) { [weak self] state in self?.draw(state) }
    }

    /// Not from a storyboard, which knows no loader.
    @available(*, unavailable)
    public required init?(coder: NSCoder) { return nil }

    /// Shows what `request` gives, or the placeholder; see `Slot.show`.
    public func show(_ request: ImageRequest?) { slot?.show(request) }

    /// Loads once more what failed.
    public func retry() { slot?.retry() }

    private func draw(_ state: SlotState<Image>) {
      image = state.value?.cgImage.map { UIImage(cgImage: $0) } ?? placeholder
    }
  }
#endif
