public import Testing

/// A certificate for "localhost" and 127.0.0.1 with its key, made by the program `openssl`.
public struct SelfSignedCertificate: Sendable {
    /// The program ended with an error.
    public struct Failure: Error {
        /// Standard error.
        public var errors: String
    }

    /// Whether the program `openssl` is installed.
    public static let isPossible =
        (try? ProgramRun("/usr/bin/env", ["openssl", "version"]))?.status == 0

    /// The paths of the PEM files.
    public let certificate, key: String

    /// Makes a certificate. The key's file has mode 0600.
    ///
    /// - Parameters:
    ///   - folder: The folder of the files.
    ///   - name: The start of the files' names.
    /// - Throws: ``Failure`` if `openssl` fails.
    public init(in folder: TemporaryFolder, named name: String = "server") throws {
        certificate = folder.path + "/\(name).pem"
        key = folder.path + "/\(name).key"
        let run = try ProgramRun(
            "/usr/bin/env",
            [
                "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                "ec_paramgen_curve:P-256", "-nodes", "-days", "30", "-subj", "/CN=localhost",
                "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key, "-out",
                certificate,
            ])
        guard run.status == 0 else { throw Failure(errors: run.errors) }
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips a test if the program `openssl` is missing.
    public static var withCertificates: Self {
        .enabled(if: SelfSignedCertificate.isPossible, "The program openssl is missing.")
    }
}
