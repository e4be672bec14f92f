import Foundation
import HealthServer
import HealthTesting
import Synchronization
import Testing

/// A server with a certificate, and Python's TLS as its client.
@Suite(.withCertificates) struct EncryptedServerTests {
    private let folder: TemporaryFolder
    private let files: SelfSignedCertificate

    init() throws {
        folder = try TemporaryFolder()
        files = try SelfSignedCertificate(in: folder)
    }

    private func server(
        _ limits: HealthServer.Limits = RunningServer.longTimeouts
    ) async throws -> RunningServer {
        try await RunningServer(
            limits: limits,
            certificate: ServerCertificate(at: files.certificate, key: files.key, now: .now))
    }

    /// Sends a request and returns what a Python expression says of the connection or the answer.
    private func python(
        _ running: RunningServer, _ expression: String, sending request: String = "",
        settings: String = "pass"
    ) throws -> String {
        try Python.run(
            """
            import socket, ssl, sys
            context = ssl.create_default_context(cafile=sys.argv[1])
            \(settings)
            try:
                plain = socket.create_connection(("127.0.0.1", int(sys.argv[2])), timeout=600)
                connection = context.wrap_socket(plain, server_hostname="localhost")
                connection.sendall(sys.argv[3].encode())
                answer = ""
                while sys.argv[3] and (part := connection.recv(65536)):
                    answer += part.decode()
                print(\(expression))
            except ssl.SSLError as error:
                print(error.reason)
            """, [files.certificate, String(running.port), request])
    }

    @Test("pages are sent over TLS, with a cookie that browsers send over TLS only")
    func pages() async throws {
        let running = try await server()
        let notice = running.recorded.notices.withLock { $0.first }
        guard case .listening(let url) = notice else {
            Issue.record("\(String(describing: notice))")
            return
        }
        #expect(url.hasPrefix("https://127.0.0.1:\(running.port)/?token="))
        let entry = RawResponse(
            try python(running, "answer", sending: running.request(running.signInAddress)))
        let fields = try #require(entry.headers["set-cookie"]).split(separator: ";")
            .map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(fields.dropFirst() == ["Path=/", "HttpOnly", "SameSite=Strict", "Secure"])
        let cookie = try #require(entry.cookie)
        let page = RawResponse(
            try python(running, "answer", sending: running.request("/", cookie: cookie)))
        #expect(page.status == 200 && page.body.contains("8214 steps"), "\(page.text)")
    }

    @Test("a form is accepted from the origin with https only")
    func origin() async throws {
        let running = try await server()
        let entry = RawResponse(
            try python(running, "answer", sending: running.request(running.signInAddress)))
        let cookie = try #require(entry.cookie)
        let page = RawResponse(
            try python(running, "answer", sending: running.request("/", cookie: cookie)))
        let words = page.body.split { $0 == " " || $0 == "<" }
        let key = try #require(words.first { $0.count == 64 })
        for (scheme, status) in [("https", 303), ("http", 403)] {
            let request = running.request(
                "/why", "POST", cookie: cookie,
                headers: [
                    "Origin: \(scheme)://\(running.host)",
                    "Content-Type: application/x-www-form-urlencoded",
                ], body: "csrf=\(key)")
            let answer = RawResponse(try python(running, "answer", sending: request))
            #expect(answer.status == status, "\(scheme): \(answer.text)")
        }
    }

    @Test("TLS 1.2 and 1.3 are spoken, older versions are refused")
    func versions() async throws {
        let running = try await server()
        for (version, answer) in [
            ("TLSv1_3", "TLSv1.3"), ("TLSv1_2", "TLSv1.2"),
            ("TLSv1_1", "TLSV1_ALERT_PROTOCOL_VERSION"),
        ] {
            let found = try python(
                running, "connection.version()",
                settings: """
                    import warnings; warnings.simplefilter("ignore")
                    context.set_ciphers("ALL:@SECLEVEL=0")
                    context.minimum_version = context.maximum_version = ssl.TLSVersion.\(version)
                    """)
            #expect(found == answer)
        }
        #expect(
            try python(
                running, "connection.selected_alpn_protocol()",
                settings: "context.set_alpn_protocols(['h2', 'http/1.1'])") == "http/1.1")
    }

    @Test("plain HTTP gets no answer, and later connections are served")
    func plainHTTP() async throws {
        let running = try await server()
        let client = try RawClient(port: running.port, timeout: 600)
        await client.send(running.request(running.signInAddress))
        let text = await client.receiveAll()
        #expect(!text.contains("HTTP/1.1") && !text.contains("Set-Cookie"), "\(text)")
        #expect(try python(running, "connection.version()") == "TLSv1.3")
    }

    @Test("clients that don't finish their handshake block nobody, and are disconnected")
    func slowHandshake() async throws {
        var limits = RunningServer.longTimeouts
        limits.idleTimeout = .seconds(3)
        let running = try await server(limits)
        var clients: [RawClient] = []
        for beginning: [UInt8] in [[], [0x16], [0x16, 3, 1, 2, 0, 1, 0, 1]] {
            let client = try RawClient(port: running.port, timeout: 600)
            await client.send(beginning)
            clients.append(client)
        }
        #expect(try python(running, "connection.version()") == "TLSv1.3")
        for client in clients { #expect(await client.isClosed()) }
    }
}
