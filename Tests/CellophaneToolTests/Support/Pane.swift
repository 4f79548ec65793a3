internal import Cellophane
internal import Foundation
internal import Testing

/// A shell in a terminal of tmux, in which the tool is on the path. It ends with its room.
final class Pane: Sendable {
  private let room: Room
  private let timeline = Timeline()

  /// True where tmux is installed.
  static let isPossible = ["/usr/bin/tmux", "/usr/local/bin/tmux", "/opt/homebrew/bin/tmux"].contains {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// A terminal of some size, once its shell waits for a line.
  init(in room: Room, columns: Int, lines: Int) async throws {
    self.room = room
    // The server of tmux outlives the shell, and would keep open what the shell has of other children's pipes.
    let start = try await room.shell(
      """
      printf 'set -g default-terminal screen-256color\\nset -g status off\\n' > tmux.conf
      echo 'PS1="ready> "' > shell.conf
      # What crashes asks nobody what to do.
      export SWIFT_BACKTRACE=enable=no
      exec bash -c 'for file in /dev/fd/*; do
        [ "${file##*/}" -gt 2 ] && eval "exec ${file##*/}>&-"
      done
      exec tmux -S tmux.socket -f tmux.conf new-session -d -x \(columns) -y \(lines) "bash --rcfile shell.conf"'
      """)
    try #require(start.exit == 0, "\(start)")
    do {
      try await waits { $0.contains("ready>") }
    } catch {
      try await end()
      throw error
    }
  }

  /// Ends everything in it.
  func end() async throws {
    // What ends tmux else is a signal, which the process that started it may have held back for all of its children.
    _ = try await room.shell("kill -KILL $(tmux -S tmux.socket display-message -p '#{pid}')")
  }

  /// Types keys by tmux's names: `PageDown`, `C-c`, `q`.
  func press(_ keys: String...) async throws {
    _ = try await tmux("send-keys \(keys.joined(separator: " "))")
  }

  /// Types `text` as it is.
  func type(_ text: String) async throws { _ = try await tmux("send-keys -l \(Self.quoted(text))") }

  /// Types a line of shell.
  func run(_ line: String) async throws {
    try await type(line)
    try await press("Enter")
  }

  func resize(columns: Int, lines: Int) async throws {
    _ = try await tmux("resize-window -x \(columns) -y \(lines)")
  }

  /// Writes all that the terminal is told from now on into a file of the room.
  func record(in name: String) async throws { _ = try await tmux("pipe-pane 'cat > \(name)'") }

  /// What is on the screen; with `escapes` also how it looks.
  func screen(escapes: Bool = false) async throws -> String {
    try await tmux("capture-pane -p\(escapes ? " -e" : "")")
  }

  /// Waits until tmux knows this of the terminal: whether there is a cursor, the other screen, a mouse.
  func waits(modes: String) async throws {
    let end = timeline.now + .seconds(60)
    while true {
      let now = try await tmux("display-message -p '#{cursor_flag} #{alternate_on} #{mouse_any_flag}'")
      if now == modes + "\n" { return }
      if timeline.now > end { throw Missing(screen: now) }
      try await timeline.sleep(for: .milliseconds(20))
    }
  }

  /// Looks at the screen until it is as expected; returns it as it was then.
  ///
  /// - Throws: ``Missing`` with what is on it, when it is not so within a minute.
  @discardableResult
  func waits(for isExpected: (String) -> Bool) async throws -> String {
    try await presses(nil, until: isExpected)
  }

  /// The same, with a key before each look.
  @discardableResult
  func presses(_ key: String?, until isExpected: (String) -> Bool) async throws -> String {
    let end = timeline.now + .seconds(60)
    while true {
      if let key { try await press(key) }
      let screen = try await screen()
      if isExpected(screen) { return screen }
      if timeline.now > end { throw Missing(screen: screen) }
      try await timeline.sleep(for: .milliseconds(20))
    }
  }

  /// What was there instead of what was expected.
  struct Missing: Error, CustomStringConvertible {
    let screen: String
    var description: String { "not what was expected:\n" + screen }
  }

  private func tmux(_ command: String) async throws -> String {
    let ended = try await room.shell("tmux -S tmux.socket \(command)")
    return ended.text
  }

  private static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }
}
