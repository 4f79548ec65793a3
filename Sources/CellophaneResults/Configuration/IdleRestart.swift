/// The change of a congestion window while its connection is idle.
public enum IdleRestart: String, Sendable, CaseIterable {
  /// After a second, the window is that of a new connection (RFC 5681, section 4.1).
  case reset
  /// Each retransmission timeout halves the window, down to that of a new connection: the default of Linux
  /// (`tcp_slow_start_after_idle=1`).
  case halve
  /// The window stays (`tcp_slow_start_after_idle=0`), as many content delivery networks set it.
  case never
}
