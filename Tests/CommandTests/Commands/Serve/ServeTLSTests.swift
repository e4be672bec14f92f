import Foundation
import HealthTesting
import Testing

/// `openhealth serve --certificate`, with curl and `openhealth push` as clients.
@Suite(.inTestAll, .withCertificates) struct ServeTLSTests {
    private let folder: TemporaryFolder
    private let files: SelfSignedCertificate
    private let store: String
    private var options: [String] { ["--certificate", files.certificate, "--key", files.key] }

    init() throws {
        folder = try TemporaryFolder()
        files = try SelfSignedCertificate(in: folder)
        store = folder.path + "/health.sqlite"
    }

    private func token() throws -> String {
        let run = try CommandRun(["devices", "add", "iPhone", "--json"], store: store)
        return try #require(run.object?["token"] as? String)
    }

    private let body = """
        {"data":{"metrics":[{"name":"weight_body_mass","units":"kg","data":[\
        {"date":"2024-03-10 07:12:00 +0100","qty":80.5,"source":"Scale"}]}]}}
        """

    private func curl(_ serving: Serving, _ token: String, _ options: [String]) throws -> ProgramRun
    {
        try ProgramRun(
            "/usr/bin/env",
            [
                "curl", "--disable", "--silent", "--max-time", "300", "--header",
                "X-API-Key: " + token, "--header", "Content-Type: application/json", "--data", body,
                "https://localhost:\(serving.port)/v1/intake/health-auto-export",
            ] + options)
    }

    @Test("a phone's data is received over HTTPS on all addresses without --insecure")
    func receiving() throws {
        let token = try token()
        let serving = try Serving(
            ["serve", "--receive", "--listen", "0.0.0.0", "--port", "0"] + options, store: store)
        defer { serving.command.kill() }
        #expect(serving.command.output.hasPrefix("https://127.0.0.1:\(serving.port)/?token="))
        let unknown = try curl(serving, token, [])
        // 60: the certificate's issuer is unknown.
        #expect(unknown.status == 60 && unknown.output.isEmpty)
        let known = try curl(serving, token, ["--cacert", files.certificate])
        #expect(known.status == 0 && known.output.contains("\"accepted\":"), "\(known.output)")
        let types = try CommandRun(["types"], store: store)
        #expect(types.output.contains("bodyMass"), "\(types.output)")
        #expect(!serving.command.errors.contains("unencrypted"))
    }

    @Test("the printed address has the name of --host, for which the certificate is valid")
    func hostName() throws {
        _ = try token()
        let serving = try Serving(
            [
                "serve", "--receive", "--listen", "127.0.0.1", "--host", "localhost", "--port", "0",
            ] + options, store: store)
        defer { serving.command.kill() }
        #expect(serving.command.output.hasPrefix("https://localhost:\(serving.port)/?token="))
    }

    @Test("push sends to a certificate that curl trusts, and to no other")
    func push() throws {
        let token = try token()
        let serving = try Serving(["serve", "--receive", "--port", "0"] + options, store: store)
        defer { serving.command.kill() }
        let source = try AnnasStore()
        let words = ["push", "https://localhost:\(serving.port)"]
        let refused = try CommandRun(
            words, store: source.path, environment: ["OPENHEALTH_TOKEN": token])
        #expect(refused.status == 1 && refused.errors.contains("certificate isn't trusted"))
        let nothing = try CommandRun(["devices", "--json"], store: store)
        #expect(nothing.output.contains("\"lastContact\":null"), "\(nothing.output)")
        let sent = try CommandRun(
            words, store: source.path,
            environment: ["OPENHEALTH_TOKEN": token, "CURL_CA_BUNDLE": files.certificate])
        #expect(sent.status == 0, "\(sent.errors)")
        let types = try CommandRun(["types"], store: store)
        #expect(types.output.contains("stepCount"), "\(types.output)")
    }

    @Test("wrong files and incomplete options are errors before anything is served")
    func refusals() throws {
        let text = try folder.write("notes.txt", "no certificate")
        let other = try SelfSignedCertificate(in: folder, named: "other")
        let none = folder.path + "/none.pem"
        for (certificate, key, words) in [
            (none, files.key, "can't be read"), (files.certificate, none, "can't be read"),
            (text, files.key, "no certificate"), (files.certificate, text, "no private key"),
            (files.certificate, other.key, "doesn't belong"),
        ] {
            let run = try CommandRun(
                ["serve", "--receive", "--certificate", certificate, "--key", key], store: store)
            #expect(run.status == 1 && run.output.isEmpty)
            #expect(run.errors.contains(words), "\(run.errors)")
        }
        for arguments in [
            ["--certificate", files.certificate], ["--key", files.key],
            options + ["--receive", "--listen", "0.0.0.0", "--insecure"],
        ] {
            let run = try CommandRun(["serve"] + arguments, store: store)
            #expect(run.status == 64 && run.output.isEmpty, "\(arguments)")
        }
        #expect(!FileManager.default.fileExists(atPath: store))
    }

    @Test("a key that other accounts can read is a warning")
    func readableKey() throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: files.key)
        let serving = try Serving(["serve", "--receive", "--port", "0"] + options, store: store)
        defer { serving.command.kill() }
        #expect(serving.command.errors.contains("Warning: All accounts"))
    }
}
