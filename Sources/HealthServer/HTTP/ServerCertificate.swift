#if Server
    package import Foundation

    #if TLS
        import NIOCore
        import NIOSSL
    #endif

    /// A certificate and its private key, with which a server encrypts its connections.
    package struct ServerCertificate: Sendable {
        /// Why files can't be used. It contains nothing of their content.
        package enum Fault: Error, Hashable, Sendable {
            /// The file at the path can't be read.
            case unreadable(String)
            /// The file at the path has no certificate in PEM form.
            case noCertificate(String)
            /// The file at the path has no private key in PEM form, or one with a password.
            case noKey(String)
            /// The key belongs to another certificate, or is of a kind that isn't supported.
            case mismatch
            /// The program was built without TLS.
            case unsupported
        }

        /// A property of the files that doesn't prevent their use.
        package enum Warning: Hashable, Sendable {
            /// Other accounts of the computer can read the file with the key at the path.
            case readableKey(String)
            /// The certificate has expired, or isn't valid yet.
            case invalidNow
        }

        package let warnings: [Warning]

        #if TLS
            let configuration: TLSConfiguration

            /// Reads a certificate and its key.
            ///
            /// - Parameters:
            ///   - path: The file with the certificate, followed by those of its issuers if there
            ///     are any, in PEM form.
            ///   - keyPath: The file with the key in PEM form, without a password.
            ///   - now: The current time.
            /// - Throws: ``Fault``.
            package init(at path: String, key keyPath: String, now: Date) throws(Fault) {
                let text = try ServerCertificate.bytes(at: path)
                let keyText = try ServerCertificate.bytes(at: keyPath)
                guard let chain = try? NIOSSLCertificate.fromPEMBytes(text), let first = chain.first
                else { throw .noCertificate(path) }
                // Without a callback, the library would ask the terminal for a password.
                guard
                    let key = try? NIOSSLPrivateKey(
                        bytes: keyText, format: .pem,
                        passphraseCallback: { (_: NIOSSLPassphraseSetter<[UInt8]>) in })
                else { throw .noKey(keyPath) }
                var configuration = TLSConfiguration.makeServerConfiguration(
                    certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
                configuration.minimumTLSVersion = .tlsv12
                configuration.applicationProtocols = ["http/1.1"]
                // A client that doesn't answer the end of TLS keeps its connection for this time.
                configuration.shutdownTimeout = .seconds(1)
                // Creating a context compares the key with the certificate.
                guard (try? NIOSSLContext(configuration: configuration)) != nil else {
                    throw .mismatch
                }
                self.configuration = configuration
                let seconds = now.timeIntervalSince1970
                let isValid =
                    Double(first.notValidBefore) <= seconds
                    && seconds <= Double(first.notValidAfter)
                warnings =
                    (ServerCertificate.isReadableByOthers(keyPath) ? [.readableKey(keyPath)] : [])
                    + (isValid ? [] : [.invalidNow])
            }
        #else
            /// The replacement in a build without TLS, which throws.
            package init(at path: String, key keyPath: String, now: Date) throws(Fault) {
                throw .unsupported
            }
        #endif

        private static func bytes(at path: String) throws(Fault) -> [UInt8] {
            guard let data = FileManager.default.contents(atPath: path) else {
                throw .unreadable(path)
            }
            return Array(data)
        }

        /// Whether accounts other than the owner and the group can read a file.
        private static func isReadableByOthers(_ path: String) -> Bool {
            let file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
            let facts = try? FileManager.default.attributesOfItem(atPath: file)
            return ((facts?[.posixPermissions] as? NSNumber)?.intValue ?? 0) & 0o004 != 0
        }
    }

    extension ServerCertificate.Fault: CustomStringConvertible {
        package var description: String {
            switch self {
            case .unreadable(let path): "The file \(path) can't be read."
            case .noCertificate(let path): "The file \(path) has no certificate in PEM form."
            case .noKey(let path):
                "The file \(path) has no private key in PEM form, or one with a password."
            case .mismatch: "The key doesn't belong to the certificate."
            case .unsupported: "This openhealth was built without TLS."
            }
        }
    }

    extension ServerCertificate.Warning: CustomStringConvertible {
        package var description: String {
            switch self {
            case .readableKey(let path): "All accounts of this computer can read the key \(path)."
            case .invalidNow: "The certificate has expired, or is not valid yet."
            }
        }
    }
#endif
