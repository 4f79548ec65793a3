internal import Cellophane
internal import CellophaneNetwork

extension SimulationConfiguration.Network {
  /// Checks the values, and whether they can be played in `time`.
  func check(in time: SimulationConfiguration.Time) throws(LoadError) {
    try ScenarioField.check(origins, "network.origins", within: Self.originCounts)
    try ScenarioField.check(think.milliseconds, "network.think_ms", within: Self.thinkingTimes)
    try ScenarioField.check(thinkSigma, "network.think_sigma", within: Self.sigmas)
    try ScenarioField.check(drainBytes, "network.drain_bytes", within: Self.drainLimits)
    if case .trace(let file, nil) = profile.variation {
      throw file.map { ScenarioField.error("network.preset", "the trace \($0) has not been read") }
        ?? ScenarioField.error("network.trace", "is missing; the network 'trace' needs its rates")
    }
    if http == .http3, !tls {
      throw ScenarioField.error("network.tls", "HTTP/3 contains TLS 1.3; use true, or another network.http")
    }
    if isWarm, http != .http3 {
      throw ScenarioField.error(
        "network.warm",
        "changes HTTP/3 only: over TCP, TLS 1.3 takes a round trip on resumption too; use false")
    }
    if profile.queue != nil, profile.downBitsPerSecond == nil {
      throw ScenarioField.error(
        "network.queue", "nothing waits for a link without a limit; set network.down_kbps")
    }
    if time == .real { try checkReal() }
  }

  /// Checks that an origin over real sockets can shape this network.
  private func checkReal() throws(LoadError) {
    if profile.variation != nil {
      throw ScenarioField.error(
        "network.preset",
        "in real time the embedded origin has a constant rate; use another network, or virtual time")
    }
    if http != .http1 {
      throw ScenarioField.error(
        "network.http", "in real time the embedded origin speaks HTTP/1.1; use 1, or virtual time")
    }
    if profile.loss > 0 {
      throw ScenarioField.error(
        "network.loss", "in real time loopback loses no segments; use 0, or virtual time")
    }
    if profile.queue != nil {
      throw ScenarioField.error(
        "network.queue", "in real time the embedded origin has no queue; leave it out, or use virtual time")
    }
    if profile.wakeUp != nil {
      throw ScenarioField.error(
        "network.wake_ms", "in real time loopback has no radio; leave it out, or use virtual time")
    }
    if drainBytes > 0 {
      throw ScenarioField.error(
        "network.drain_bytes", "in real time libcurl closes connections; use 0, or virtual time")
    }
    if origins != 1 {
      throw ScenarioField.error(
        "network.origins", "in real time there is one embedded origin; use 1, or virtual time")
    }
    if idleRestart != .reset {
      throw ScenarioField.error(
        "network.idle_restart",
        "in real time the embedded origin resets its windows; use reset, or virtual time")
    }
  }
}
