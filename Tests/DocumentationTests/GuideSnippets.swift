internal import Cellophane

// The code of Documentation/Debugging.md.

private func printEvents(of loader: ImageLoader) async {
  for await event in loader.bytes.events.events() { print(event.time, event.kind) }
}
