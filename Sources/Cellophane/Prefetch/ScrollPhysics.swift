/// The deceleration of a list after the finger has left it.
public enum ScrollPhysics: String, Sendable, Hashable, CaseIterable {
  /// `UIScrollView.DecelerationRate.normal`.
  case ios
  /// `UIScrollView.DecelerationRate.fast`.
  case iosFast = "ios-fast"
  /// Android's `OverScroller`, and Flutter's `ClampingScrollPhysics` for Android.
  case android
  /// Flutter's `BouncingScrollPhysics`, which it has for iOS.
  case flutter
}
