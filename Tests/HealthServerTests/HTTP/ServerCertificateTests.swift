import Foundation
import HealthTesting
import Testing

@testable import HealthServer

/// The files of a certificate and its key.
@Suite(.withCertificates) struct ServerCertificateTests {
    private let folder: TemporaryFolder
    private let files: SelfSignedCertificate

    init() throws {
        folder = try TemporaryFolder()
        files = try SelfSignedCertificate(in: folder)
    }

    private func read(
        _ path: String? = nil, key: String? = nil, now: Date = .now
    ) throws -> ServerCertificate {
        try ServerCertificate(at: path ?? files.certificate, key: key ?? files.key, now: now)
    }

    @Test("a certificate and its key are read without a warning")
    func valid() throws { #expect(try read().warnings.isEmpty) }

    @Test("each wrong file has an error of its own")
    func faults() throws {
        let text = try folder.write("notes.txt", "no certificate")
        let none = folder.path + "/none.pem"
        let whole = try String(contentsOfFile: files.certificate, encoding: .utf8)
        let cut = try folder.write("cut.pem", String(whole.prefix(200)))
        typealias Fault = ServerCertificate.Fault
        for path in [none, folder.path] {
            #expect(throws: Fault.unreadable(path)) { try read(path) }
            #expect(throws: Fault.unreadable(path)) { try read(key: path) }
        }
        for path in [text, files.key, cut] {
            #expect(throws: Fault.noCertificate(path)) { try read(path) }
        }
        for path in [text, files.certificate] {
            #expect(throws: Fault.noKey(path)) { try read(key: path) }
        }
        let other = try SelfSignedCertificate(in: folder, named: "other")
        #expect(throws: Fault.mismatch) { try read(key: other.key) }
    }

    @Test("a key with a password is an error, and nobody is asked for the password")
    func encryptedKey() throws {
        let locked = folder.path + "/locked.key"
        let run = try ProgramRun(
            "/usr/bin/env",
            [
                "openssl", "pkcs8", "-topk8", "-in", files.key, "-out", locked, "-passout",
                "pass:secret",
            ])
        #expect(run.status == 0, "\(run.errors)")
        #expect(throws: ServerCertificate.Fault.noKey(locked)) { try read(key: locked) }
    }

    @Test("a key that all accounts can read, and an expired certificate, are warnings")
    func warnings() throws {
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o644], ofItemAtPath: files.key)
        #expect(try read().warnings == [.readableKey(files.key)])
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o640], ofItemAtPath: files.key)
        #expect(try read().warnings.isEmpty)
        for days in [-1.0, 31] {
            #expect(try read(now: .now + days * 86_400).warnings == [.invalidNow])
        }
    }
}
