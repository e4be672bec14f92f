import Foundation

/// A server of Python's on 127.0.0.1 that records POST requests over TLS.
///
/// It answers 204; a path that begins with a status, such as "/500", gets that status. "/302" leads
/// to "/target".
public final class HTTPSReceiver {
    /// A recorded request.
    public struct Request: Decodable, Sendable {
        /// The path.
        public var path: String
        /// The header fields by lowercase name.
        public var headers: [String: String]
        /// The body.
        public var body: String
    }

    /// The server didn't start.
    public struct NotStarted: Error {}

    /// The port.
    public let port: Int
    private let folder: TemporaryFolder
    private let process: Process
    private let input = Pipe()

    /// Starts a server.
    ///
    /// - Parameter identity: Its certificate and key.
    /// - Throws: ``NotStarted``; an error of the file system.
    public init(_ identity: SelfSignedCertificate) throws {
        folder = try TemporaryFolder()
        process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "python3", "-c", HTTPSReceiver.program, identity.certificate, identity.key, folder.path,
        ]
        process.standardInput = input
        try process.run()
        var port: Int?
        for _ in 0..<3000 where port == nil && process.isRunning {
            Thread.sleep(forTimeInterval: 0.02)
            port = (try? String(contentsOfFile: folder.path + "/port", encoding: .utf8))
                .flatMap { Int($0) }
        }
        guard let port else { throw NotStarted() }
        self.port = port
    }

    deinit { if process.isRunning { process.terminate() } }

    /// The requests that have arrived.
    public var requests: [Request] {
        let lines = (try? String(contentsOfFile: folder.path + "/requests", encoding: .utf8)) ?? ""
        return lines.split(separator: "\n").compactMap {
            try? JSONDecoder().decode(Request.self, from: Data($0.utf8))
        }
    }

    /// It ends with its standard input, and so also with a killed test.
    private static let program = """
        import http.server, json, os, ssl, sys, threading
        certificate, key, folder = sys.argv[1:]
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
                headers = {name.lower(): value for name, value in self.headers.items()}
                with open(folder + "/requests", "a") as file:
                    file.write(json.dumps({"path": self.path, "headers": headers, "body": body})
                               + "\\n")
                status = self.path[1:4]
                self.send_response(int(status) if status.isdigit() else 204)
                if status == "302":
                    self.send_header("Location", "/target")
                self.send_header("Content-Length", "0")
                self.end_headers()
            do_GET = do_POST
            def log_message(self, *arguments):
                pass
        class Server(http.server.ThreadingHTTPServer):
            def handle_error(self, request, address):
                pass
        server = Server(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        server.socket = context.wrap_socket(
            server.socket, server_side=True, do_handshake_on_connect=False)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with open(folder + "/new", "w") as file:
            file.write(str(server.server_address[1]))
        os.rename(folder + "/new", folder + "/port")
        sys.stdin.read()
        """
}
