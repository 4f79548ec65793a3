internal import CellophaneTesting
internal import Foundation

/// A certificate that nobody but its own file vouches for, made by the openssl command.
final class TestCertificate: Sendable {
  let identity: TLSIdentity
  /// The certificate's file, to be trusted.
  let file: String
  private let folder: URL

  /// A certificate for `name`, as in `IP:127.0.0.1`, which ended in 2020 or ends in two days.
  init(for name: String, isExpired: Bool = false) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "cellophane-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let folder = folder.path
    let key = [
      "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", folder + "/key.pem",
    ]
    file = folder + "/certificate.pem"
    if isExpired {
      // `req` makes no certificate of the past; `ca` does, and wants its books in files.
      for (file, text) in [("index", ""), ("serial", "01"), ("settings", Self.settings(name, in: folder))] {
        try text.write(toFile: "\(folder)/\(file)", atomically: false, encoding: .utf8)
      }
      try Self.openssl(["req", "-new", "-subj", "/CN=test", "-out", folder + "/request.pem"] + key)
      try Self.openssl([
        "ca", "-batch", "-selfsign", "-notext", "-config", folder + "/settings", "-keyfile",
        folder + "/key.pem",
        "-in", folder + "/request.pem", "-startdate", "20200101000000Z", "-enddate", "20200102000000Z",
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
