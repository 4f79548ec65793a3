internal import CellophaneTestOrigin

/// Frames of HTTP/2 (RFC 9113), for origins that follow a script.
enum HTTP2Frames {
  /// A frame (section 4.1).
  static func frame(_ type: UInt8, flags: UInt8 = 0, on stream: UInt8, _ payload: [UInt8] = []) -> [UInt8] {
    [0, 0, UInt8(payload.count), type, flags, 0, 0, 0, stream] + payload
  }

  static let settings = frame(4, on: 0)

  /// `:status: 200`, the eighth field of the static table (RFC 7541, appendix A).
  static func head(of stream: UInt8) -> RawOrigin.Step { .send(frame(1, flags: 4, on: stream, [0x88])) }

  static func body(of stream: UInt8) -> RawOrigin.Step {
    .send(frame(0, flags: 1, on: stream, Array("ok".utf8)))
  }

  /// RST_STREAM with REFUSED_STREAM: nothing was done, and the request may be sent again.
  static func refusal(of stream: UInt8) -> [RawOrigin.Step] {
    [.readStream, .send(frame(3, on: stream, [0, 0, 0, 7]))]
  }

  static func answer(to stream: UInt8) -> [RawOrigin.Step] {
    [.readStream, head(of: stream), body(of: stream)]
  }
}
