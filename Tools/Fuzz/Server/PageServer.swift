import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A local process of `openhealth serve` with a session, which its one-time token started.
final class PageServer {
    let id: pid_t
    private(set) var port = 0
    private(set) var cookie = ""
    /// The form key (CSRF token) of its forms.
    private(set) var formKey = ""
    private let errors: String
    private let output: Int32
    private var state: Int32?

    /// Starts a server; nil if it doesn't start. The caller decides whether that is a failure.
    init?(_ command: TestedCommand, store: String) {
        errors = command.folder + "/serve.errors"
        guard let pipe = PipeEnds.opened else { return nil }
        var command = command
        // One server handles tens of thousands of requests.
        command.processorSeconds = 36_000
        let file = open(errors, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        let id = command.spawned(
            ["serve", "--store", store], output: pipe.write, errorOutput: file)
        close(pipe.write)
        close(file)
        output = pipe.read
        self.id = id ?? -1
        guard id != nil, let line = PageServer.line(of: pipe.read), enter(line) else {
            end()
            return nil
        }
    }

    deinit { close(output) }

    private static func line(of pipe: Int32) -> String? {
        var bytes: [UInt8] = []
        while !bytes.contains(10) {
            var state = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
            var buffer = [UInt8](repeating: 0, count: 1024)
            guard poll(&state, 1, 20_000) > 0 else { return nil }
            let count = read(pipe, &buffer, buffer.count)
            guard count > 0 else { return nil }
            bytes += buffer[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Starts a session with the token in an address: "http://127.0.0.1:49321/?token=5f1c…".
    /// Returns whether that worked.
    private func enter(_ line: String) -> Bool {
        let parts = line.split(whereSeparator: { "/?\n".contains($0) })
        guard parts.count >= 3, let token = parts.last,
            let number = parts[1].split(separator: ":").last.flatMap({ Int($0) })
        else { return false }
        port = number
        guard let connection = Connection(port: port) else { return false }
        connection.send(request("/?" + token))
        guard let response = connection.response(timeout: 20),
            let cookie = response.headers["set-cookie"]?.split(separator: ";").first
        else { return false }
        self.cookie = String(cookie)
        connection.send(request("/why"))
        let page = connection.response(timeout: 20)?.text ?? ""
        if let at = page.range(of: "name=\"csrf\" value=\"") {
            formKey = String(page[at.upperBound...].prefix { $0 != "\"" })
        }
        return true
    }

    var host: String { "127.0.0.1:\(port)" }

    /// Returns a GET request for a path, with the session's cookie.
    func request(_ path: String) -> [UInt8] {
        Array("GET \(path) HTTP/1.1\r\nHost: \(host)\r\nCookie: \(cookie)\r\n\r\n".utf8)
    }

    var isAlive: Bool {
        if state != nil { return false }
        var status: Int32 = 0
        if waitpid(id, &status, WNOHANG) == id {
            state = status
            return false
        }
        return true
    }

    /// How the process ended, as text.
    var ending: String {
        guard !isAlive, let state else { return "alive" }
        let signal = state & 0x7F
        return signal == 0 ? "exit \((state >> 8) & 0xFF)" : "signal \(signal)"
    }

    var errorOutput: String { String(decoding: Folder.bytes(errors), as: UTF8.self) }

    /// The resident memory in bytes; 0 if unknown.
    var memory: Int {
        let text = (try? String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return line?.split(whereSeparator: { " \t".contains($0) }).dropFirst().first
            .flatMap { Int($0) }.map { $0 * 1024 } ?? 0
    }

    /// The number of open files and sockets; 0 if unknown.
    var descriptors: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/fd"))?.count ?? 0
    }

    /// Stops the server with SIGTERM, or with SIGKILL after ten seconds. Returns whether SIGKILL
    /// wasn't necessary.
    @discardableResult
    func end() -> Bool {
        guard id > 0, isAlive else { return true }
        kill(id, SIGTERM)
        for _ in 0..<1000 where isAlive { usleep(10_000) }
        guard isAlive else { return true }
        kill(id, SIGKILL)
        var status: Int32 = 0
        waitpid(id, &status, 0)
        state = status
        return false
    }
}
