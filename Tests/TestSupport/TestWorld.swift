package import Cellophane
package import CellophaneTesting

/// A fixture on top of a `LoaderWorld`, with the same parts.
package protocol TestWorld: Sendable {
  /// The loader and everything around it.
  var base: LoaderWorld { get }
}

extension TestWorld {
  package var time: VirtualTime { base.time }
  package var timeline: Timeline { base.timeline }
  package var files: MemoryFileSystem { base.files }
  package var origin: ScriptedTransport { base.origin }
  package var bytes: ByteLoader { base.bytes }
}
