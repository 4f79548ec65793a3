internal import CellophaneTestOrigin
internal import Foundation

/// A self-signed certificate, created by the openssl command.
final class TestCertificate: Sendable {
  let identity: TLSIdentity
  /// The file of the certificate, for clients that shall trust it.
  let file: String
  private let folder: URL

  /// The period in which a certificate is valid.
  enum Validity: String {
    case now
    case lastDecade = "20200101000000Z 20200102000000Z"
    case nextCentury = "21200101000000Z 21200102000000Z"
  }

  /// Creates a certificate for `name`, such as `IP:127.0.0.1`. With `now`, it is valid for two days.
  init(for name: String, valid validity: Validity = .now) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "cellophane-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let folder = folder.path
    let key = [
      "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", folder + "/key.pem",
    ]
    file = folder + "/certificate.pem"
    if validity != .now {
      let dates = validity.rawValue.split(separator: " ").map(String.init)
      // `req` always starts at the current time. `ca` does not, but needs files for its records.
      for (file, text) in [("index", ""), ("serial", "01"), ("settings", Self.settings(name, in: folder))] {
        try text.write(toFile: "\(folder)/\(file)", atomically: false, encoding: .utf8)
      }
      try Self.openssl(["req", "-new", "-subj", "/CN=test", "-out", folder + "/request.pem"] + key)
      try Self.openssl([
        "ca", "-batch", "-selfsign", "-notext", "-config", folder + "/settings", "-keyfile",
        folder + "/key.pem",
        "-in", folder + "/request.pem", "-startdate", dates[0], "-enddate", dates[1],
        "-out", file,
      ])
    } else {
      try Self.openssl(
        [
          "req", "-x509", "-days", "2", "-subj", "/CN=test", "-addext", "subjectAltName=\(name)", "-out",
          file,
        ] + key)
    }
    identity = TLSIdentity(
      certificatePEM: try String(contentsOfFile: file, encoding: .utf8),
      privateKeyPEM: try String(contentsOfFile: folder + "/key.pem", encoding: .utf8))
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private static func settings(_ name: String, in folder: String) -> String {
    """
    [ca]
    default_ca = test
    [test]
    database = \(folder)/index
    serial = \(folder)/serial
    new_certs_dir = \(folder)
    default_md = sha256
    policy = policy
    x509_extensions = extensions
    [policy]
    commonName = supplied
    [extensions]
    subjectAltName = \(name)

    """
  }

  private static func openssl(_ arguments: [String]) throws {
    let openssl = Process()
    openssl.executableURL = URL(filePath: "/usr/bin/env")
    openssl.arguments = ["openssl"] + arguments
    openssl.standardError = FileHandle.nullDevice
    openssl.standardOutput = FileHandle.nullDevice
    try openssl.run()
    openssl.waitUntilExit()
  }
}
