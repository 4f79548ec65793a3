internal import Cellophane

/// A browser on a real terminal, with its keys and signals.
package struct BrowseSession: Sendable {
  private let terminal: Terminal
  private let capabilities: TerminalCapabilities
  private let isOver: @Sendable () -> Bool

  /// - Parameter isOver: Returns true if nothing will be drawn.
  package init(
    _ terminal: Terminal, _ capabilities: TerminalCapabilities, isOver: @escaping @Sendable () -> Bool
  ) {
    (self.terminal, self.capabilities, self.isOver) = (terminal, capabilities, isOver)
  }

  /// Shows a list until the user quits, and then restores the terminal.
  @MainActor
  package func show(_ parts: Browser.Parts) async -> (ImageTally, FrameTally) {
    let browser = Browser(parts, size: terminal.size) { [terminal] in terminal.write($0) }
    enter()
    defer { terminal.leave(cleanup) }
    let listeners = [
      parts.timeline.spawn { [terminal] in
        for await bytes in terminal.typed() { browser.read(bytes) }
        browser.leave()
      },
      parts.timeline.spawn { [self] in
        for await signal in ScreenSignal.all() { take(signal, browser) }
      },
    ]
    await browser.run()
    for task in listeners { task.cancel() }
    return (browser.images, browser.frames)
  }

  @MainActor
  private func take(_ signal: ScreenSignal, _ browser: Browser) {
    switch signal {
    case .resized: browser.resize(to: terminal.size)
    case .stop:
      terminal.leave(cleanup)
      ScreenSignal.stopHere()
      take(.continued, browser)
    case .continued:
      enter()
      browser.resize(to: terminal.size)
    }
  }

  private func enter() { terminal.enter(unless: isOver) }

  /// The sequence that frees the images in the terminal's memory.
  private var cleanup: String { capabilities.form == .kitty ? KittyGraphics.forgetAll : "" }
}
