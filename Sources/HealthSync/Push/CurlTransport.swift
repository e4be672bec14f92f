#if os(Linux)
    import Dispatch
    import Foundation

    /// A transport with the program `curl`.
    ///
    /// Foundation's URLSession on Linux needs libcurl at link time and at each start of a program, also
    /// of those that never push. The program is on nearly every system, and is maintained.
    enum PushSession {
        private static let queue = DispatchQueue(label: "push.curl", attributes: .concurrent)

        static func transport() -> PushTransport {
            { request in
                try await withCheckedThrowingContinuation { continuation in
                    queue.async { continuation.resume(with: Result { try send(request) }) }
                }
            }
        }

        /// Sends a request, and waits for the answer. Token and body are in files of mode 0600 in a
        /// folder of their own, because all accounts of a computer can read arguments.
        private static func send(_ request: PushRequest) throws -> PushAnswer {
            let folder = FileManager.default.temporaryDirectory
                .appending(path: "push-\(UUID().uuidString)", directoryHint: .isDirectory)
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700])
            defer { try? FileManager.default.removeItem(at: folder) }
            let (body, answer) = (folder.appending(path: "body"), folder.appending(path: "answer"))
            try request.body.write(to: body)
            let settings = folder.appending(path: "settings")
            try Data(text(of: request, body, answer).utf8).write(to: settings)
            let output = try run(settings)
            // “200 120”: the status and Retry-After.
            let words = output.split(separator: " ").map(String.init)
            guard let status = words.first.flatMap({ Int($0) }), status > 0 else {
                throw URLError(.badServerResponse)
            }
            return PushAnswer(
                status: status, retryAfter: words.count > 1 ? words[1] : nil,
                body: (try? Data(contentsOf: answer)) ?? Data())
        }

        /// The settings of `curl`. It follows no redirects, so nothing is sent to another address.
        private static func text(of request: PushRequest, _ body: URL, _ answer: URL) -> String {
            var lines = [
                "url = \(quoted(request.url.absoluteString))", "request = POST", "silent",
                "data-binary = \(quoted("@" + body.path))", "output = \(quoted(answer.path))",
                "proto = \(quoted("=http,https"))", "connect-timeout = 60", "max-time = 600",
                "max-filesize = 16777216",
                "write-out = \(quoted("%{http_code} %header{retry-after}"))",
            ]
            for (name, value) in request.headers.sorted(by: { $0.key < $1.key }) {
                lines.append("header = \(quoted(name + ": " + value))")
            }
            return lines.joined(separator: "\n") + "\n"
        }

        private static func quoted(_ text: String) -> String {
            let escaped = text.replacingOccurrences(of: "\\", with: "\\\\")
                .replacingOccurrences(of: "\"", with: "\\\"")
            return "\"" + escaped.filter { !$0.isNewline } + "\""
        }

        private static func run(_ settings: URL) throws -> String {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            // Settings of the account could name another address or a proxy.
            process.arguments = ["curl", "--disable", "--config", settings.path]
            let output = Pipe()
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            try process.run()
            let data = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            guard process.terminationStatus == 0 else { throw URLError(.cannotConnectToHost) }
            return String(decoding: data, as: UTF8.self)
        }
    }
#endif
