internal import CellophaneTestOrigin

/// Frames of HTTP/2 (RFC 9113) for scripted origins.
enum HTTP2Frames {
  /// Returns a frame (section 4.1).
  static func frame(_ type: UInt8, flags: UInt8 = 0, on stream: UInt8, _ payload: [UInt8] = []) -> [UInt8] {
    [0, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF), type, flags, 0, 0, 0, stream] + payload
  }

  static let settings = frame(4, on: 0)

  /// Returns the step that sends `:status: 200`, the eighth field of the static table (RFC 7541, appendix A).
  static func head(of stream: UInt8) -> RawOrigin.Step { .send(frame(1, flags: 4, on: stream, [0x88])) }

  static func body(of stream: UInt8) -> RawOrigin.Step {
    .send(frame(0, flags: 1, on: stream, Array("ok".utf8)))
  }

  /// Returns the steps that refuse a request. RST_STREAM with REFUSED_STREAM: the origin did not process the
  /// request, and the client may send it again.
  static func refusal(of stream: UInt8) -> [RawOrigin.Step] {
    [.readStream, .send(frame(3, on: stream, [0, 0, 0, 7]))]
  }

  static func response(to stream: UInt8) -> [RawOrigin.Step] {
    [.readStream, head(of: stream), body(of: stream)]
  }
}
