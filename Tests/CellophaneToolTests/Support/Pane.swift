internal import Cellophane
internal import Foundation
internal import Testing

/// A shell in a terminal of tmux, with the tool in its search path. Its files are in a ``Room``.
final class Pane: Sendable {
  private let room: Room
  private let timeline = Timeline()

  /// True if tmux is installed.
  static let isAvailable = ["/usr/bin/tmux", "/usr/local/bin/tmux", "/opt/homebrew/bin/tmux"].contains {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// Starts a terminal, and returns when its shell waits for a line.
  init(in room: Room, columns: Int, lines: Int) async throws {
    self.room = room
    // The server of tmux outlives the shell, so it must not inherit the pipes of other child processes.
    let start = try await room.shell(
      """
      printf 'set -g default-terminal screen-256color\\nset -g status off\\n' > tmux.conf
      echo 'PS1="ready> "' > shell.conf
      # A crash prints no prompt.
      export SWIFT_BACKTRACE=enable=no
      exec bash -c 'for file in /dev/fd/*; do
        [ "${file##*/}" -gt 2 ] && eval "exec ${file##*/}>&-"
      done
      exec tmux -S tmux.socket -f tmux.conf new-session -d -x \(columns) -y \(lines) "bash --rcfile shell.conf"'
      """)
    try #require(start.exit == 0, "\(start)")
    do {
      try await wait { $0.contains("ready>") }
    } catch {
      try await end()
      throw error
    }
  }

  /// Ends all processes in the terminal.
  func end() async throws {
    // tmux ends by other signals as well, but the parent may have blocked them for its child processes.
    _ = try await room.shell("kill -KILL $(tmux -S tmux.socket display-message -p '#{pid}')")
  }

  /// Presses keys with tmux's names, such as `PageDown`, `C-c` or `q`.
  func press(_ keys: String...) async throws {
    _ = try await tmux("send-keys \(keys.joined(separator: " "))")
  }

  /// Types `text` literally.
  func type(_ text: String) async throws { _ = try await tmux("send-keys -l \(Self.quoted(text))") }

  /// Types a shell command and presses Enter.
  func run(_ line: String) async throws {
    try await type(line)
    try await press("Enter")
  }

  func resize(columns: Int, lines: Int) async throws {
    _ = try await tmux("resize-window -x \(columns) -y \(lines)")
  }

  /// Writes all further output to the terminal into a file of the room.
  func record(in name: String) async throws { _ = try await tmux("pipe-pane 'cat > \(name)'") }

  /// Returns the text on the screen; with `escapes`, also its styles.
  func screen(escapes: Bool = false) async throws -> String {
    try await tmux("capture-pane -p\(escapes ? " -e" : "")")
  }

  /// Waits until the terminal has these modes: visible cursor, alternate screen, mouse reports.
  func wait(forModes modes: String) async throws {
    let end = timeline.now + .seconds(60)
    while true {
      let now = try await tmux("display-message -p '#{cursor_flag} #{alternate_on} #{mouse_any_flag}'")
      if now == modes + "\n" { return }
      if timeline.now > end { throw UnexpectedScreen(screen: now) }
      try await timeline.sleep(for: .milliseconds(20))
    }
  }

  /// Reads the screen until it is as expected, and returns it.
  ///
  /// - Throws: ``UnexpectedScreen`` after a minute.
  @discardableResult
  func wait(until isExpected: (String) -> Bool) async throws -> String {
    try await press(nil, until: isExpected)
  }

  /// Presses a key before each time that it reads the screen, until the screen is as expected.
  @discardableResult
  func press(_ key: String?, until isExpected: (String) -> Bool) async throws -> String {
    let end = timeline.now + .seconds(60)
    while true {
      if let key { try await press(key) }
      let screen = try await screen()
      if isExpected(screen) { return screen }
      if timeline.now > end { throw UnexpectedScreen(screen: screen) }
      try await timeline.sleep(for: .milliseconds(20))
    }
  }

  /// The error for a screen that does not become as expected.
  struct UnexpectedScreen: Error, CustomStringConvertible {
    let screen: String
    var description: String { "the screen is not as expected:\n" + screen }
  }

  private func tmux(_ command: String) async throws -> String {
    let ended = try await room.shell("tmux -S tmux.socket \(command)")
    return ended.text
  }

  private static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }
}
