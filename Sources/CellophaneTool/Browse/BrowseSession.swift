internal import Cellophane

/// A browser on a real terminal, with its keys and what the system tells.
struct BrowseSession: Sendable {
  private let terminal: Terminal
  private let abilities: Abilities
  private let interruption: Interruption

  init(_ terminal: Terminal, _ abilities: Abilities, _ interruption: Interruption) {
    (self.terminal, self.abilities, self.interruption) = (terminal, abilities, interruption)
  }

  /// Shows a list until somebody leaves; then the terminal is as it was.
  @MainActor
  func show(_ parts: Browser.Parts) async -> (PictureTally, FrameTally) {
    let browser = Browser(parts, size: terminal.size) { [terminal] in terminal.write($0) }
    enter()
    defer { terminal.leave(farewell) }
    let listening = [
      parts.timeline.spawn { [terminal] in
        for await bytes in terminal.typed() { browser.read(bytes) }
        browser.leave()
      },
      parts.timeline.spawn { [self] in
        for await signal in ScreenSignal.all() { take(signal, browser) }
      },
    ]
    await browser.run()
    for task in listening { task.cancel() }
    return (browser.pictures, browser.frames)
  }

  @MainActor
  private func take(_ signal: ScreenSignal, _ browser: Browser) {
    switch signal {
    case .resized: browser.resize(to: terminal.size)
    case .stop:
      terminal.leave(farewell)
      ScreenSignal.stopHere()
      take(.continued, browser)
    case .continued:
      enter()
      browser.resize(to: terminal.size)
    }
  }

  private func enter() { terminal.enter { interruption.hasHappened } }

  /// What a terminal keeps of us is taken away.
  private var farewell: String { abilities.form == .kitty ? KittyGraphics.forgetAll : "" }
}
