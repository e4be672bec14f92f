import ArgumentParser
import Foundation
import HealthServer

/// The options of `serve` for HTTPS.
struct EncryptionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Serve over HTTPS with this certificate: a file in PEM form, with the certificates of "
                + "its issuers.",
            valueName: "path"))
    var certificate: String?

    @Option(
        help: ArgumentHelp("The file with the certificate's private key.", valueName: "path"))
    var key: String?

    func validate() throws {
        guard (certificate == nil) == (key == nil) else {
            throw ValidationError("--certificate and --key are needed together.")
        }
    }

    #if Server
        /// Reads the files. Prints warnings.
        ///
        /// - Returns: nil without options.
        /// - Throws: ``ServerCertificate/Fault``.
        func serverCertificate() throws -> ServerCertificate? {
            guard let certificate, let key else { return nil }
            let found = try ServerCertificate(at: certificate, key: key, now: .now)
            for warning in found.warnings {
                Message.write("Warning: \(warning.description.printable)")
            }
            return found
        }
    #endif
}

#if Server
    extension ServerCertificate.Fault: UserFacingError {
        var sentence: String { description.printable.followed(by: advice) }

        private var advice: String? {
            switch self {
            case .unreadable: "Check the path and the file's permissions."
            case .noCertificate: "Use the file that the authority calls “full chain”."
            case .noKey: "Use the key's file, with a key that has no password."
            case .mismatch: "Use the two files that were issued together."
            case .unsupported: "Build it with the trait TLS, or use a proxy with TLS."
            }
        }
    }
#endif
