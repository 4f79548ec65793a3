/// The deceleration of a list after the finger has left it.
public enum ScrollPhysics: String, Sendable, Hashable, CaseIterable {
  /// `UIScrollView.DecelerationRate.normal`.
  case ios
  /// `UIScrollView.DecelerationRate.fast`.
  case iosFast = "ios-fast"
  /// The spline of Android's `OverScroller`, which moves `RecyclerView`. The motion depends on the speed at release: a
  /// fling that starts at the present speed is another one.
  case android
  /// Flutter's `BouncingScrollPhysics`, which it has for iOS.
  case flutter
  /// Flutter's `ClampingScrollPhysics`, which it has for Android: the distance of ``android`` in 17 % less time.
  case flutterAndroid = "flutter-android"
}
