#if os(Linux) || os(macOS)
    import Foundation

    /// A POST request that is sent with the program `curl`.
    ///
    /// Foundation's URLSession on Linux needs libcurl at link time and at each start of a program,
    /// also of those that never send. It also can't connect to an address that was checked before.
    /// The program is on nearly every system, and is maintained.
    package struct CurlRequest: Sendable {
        /// Why there is no answer. It contains neither the address nor a header.
        package enum Failure: Error, Hashable, Sendable {
            /// The program isn't installed.
            case notInstalled
            /// The time was over.
            case timeout
            /// TLS failed, for example because the certificate isn't trusted.
            case insecure
            /// There is no connection, or no answer of HTTP.
            case noConnection
        }

        /// The answer of the server.
        package struct Answer: Sendable {
            package var status: Int
            /// The value of the header field Retry-After; nil without one.
            package var retryAfter: String?
            package var body: [UInt8]
        }

        /// The address.
        package var url: String
        /// The header fields.
        package var headers: [String: String]
        package var body: [UInt8]
        /// Further settings of `curl` by the names of its long options, such as "max-time".
        package var settings: [String: String]

        package init(
            _ url: String, headers: [String: String], body: [UInt8], settings: [String: String]
        ) {
            (self.url, self.headers, self.body, self.settings) = (url, headers, body, settings)
        }

        /// Sends the request, and waits for the answer. Blocks. Settings and body are in files of a
        /// folder with mode 0700, because all accounts of a computer can read arguments.
        ///
        /// - Throws: ``Failure`` without an answer; errors of the file system.
        package func send() throws -> Answer {
            let folder = FileManager.default.temporaryDirectory
                .appending(path: "curl-\(UUID().uuidString)", directoryHint: .isDirectory)
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700])
            defer { try? FileManager.default.removeItem(at: folder) }
            let (sent, answer) = (folder.appending(path: "body"), folder.appending(path: "answer"))
            try Data(body).write(to: sent)
            let file = folder.appending(path: "settings")
            try Data(text(sent, answer).utf8).write(to: file)
            // “200 120”: the status and Retry-After.
            let words = try CurlRequest.run(file).split(separator: " ").map(String.init)
            guard let status = words.first.flatMap({ Int($0) }), status > 0 else {
                throw Failure.noConnection
            }
            return Answer(
                status: status, retryAfter: words.count > 1 ? words[1] : nil,
                body: Array((try? Data(contentsOf: answer)) ?? Data()))
        }

        /// The file of settings. Redirects aren't followed, so nothing is sent to another address.
        private func text(_ sent: URL, _ answer: URL) -> String {
            let own = [
                "url": url, "request": "POST", "data-binary": "@" + sent.path,
                "output": answer.path, "write-out": "%{http_code} %header{retry-after}",
            ]
            let lines =
                ["silent", "globoff", "tlsv1.2"]
                + own.merging(settings) { _, given in given }.sorted { $0.key < $1.key }
                .map { "\($0.key) = \(CurlRequest.quoted($0.value))" }
                + headers.sorted { $0.key < $1.key }
                .map { "header = \(CurlRequest.quoted($0.key + ": " + $0.value))" }
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
            if let failure = Failure(exitStatus: process.terminationStatus) { throw failure }
            return String(decoding: data, as: UTF8.self)
        }
    }

    extension CurlRequest.Failure {
        /// The exit statuses of `curl` for failures of TLS and of certificates.
        private static let ofTLS: Set<Int32> = [
            35, 51, 53, 54, 58, 59, 60, 64, 66, 77, 80, 82, 83, 90, 91,
        ]

        /// Creates the failure of an exit status; nil for success.
        fileprivate init?(exitStatus: Int32) {
            switch exitStatus {
            case 0: return nil
            case 28: self = .timeout
            // Of `env`, which didn't find the program.
            case 127: self = .notInstalled
            case let status where CurlRequest.Failure.ofTLS.contains(status): self = .insecure
            default: self = .noConnection
            }
        }
    }
#endif
