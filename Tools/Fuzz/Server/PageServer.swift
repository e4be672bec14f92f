import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// `openhealth serve` on this machine, entered by its one-time token.
final class PageServer {
    let id: pid_t
    private(set) var port = 0
    private(set) var cookie = ""
    /// What its forms send back.
    private(set) var formKey = ""
    private let errors: String
    private let output: Int32
    private var state: Int32?

    /// nil if it does not come up, which is judged by those who expect it to.
    init?(_ command: TestedCommand, store: String) {
        errors = command.folder + "/serve.errors"
        guard let pipe = PipeEnds.made else { return nil }
        var command = command
        // One server answers all requests of a run.
        command.processorSeconds = 36_000
        let file = open(errors, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        let id = command.spawned(["serve", "--store", store], output: pipe.write, complaint: file)
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

    /// Redeems the token of an address: "http://127.0.0.1:49321/?token=5f1c…".
    private func enter(_ line: String) -> Bool {
        let parts = line.split(whereSeparator: { "/?\n".contains($0) })
        guard parts.count >= 3, let token = parts.last,
            let number = parts[1].split(separator: ":").last.flatMap({ Int($0) })
        else { return false }
        port = number
        guard let connection = Connection(port: port) else { return false }
        connection.send(request("/?" + token))
        guard let answer = connection.answer(patience: 20),
            let cookie = answer.headers["set-cookie"]?.split(separator: ";").first
        else { return false }
        self.cookie = String(cookie)
        connection.send(request("/why"))
        let page = connection.answer(patience: 20)?.text ?? ""
        if let at = page.range(of: "name=\"csrf\" value=\"") {
            formKey = String(page[at.upperBound...].prefix { $0 != "\"" })
        }
        return true
    }

    var host: String { "127.0.0.1:\(port)" }

    /// A request as a browser that is let in sends it.
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

    /// How it ended, in words.
    var ending: String {
        guard !isAlive, let state else { return "alive" }
        let signal = state & 0x7F
        return signal == 0 ? "exit \((state >> 8) & 0xFF)" : "signal \(signal)"
    }

    var complaint: String { String(decoding: Folder.bytes(errors), as: UTF8.self) }

    /// Bytes of memory that it holds; 0 where the system doesn't tell.
    var memory: Int {
        let text = (try? String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return line?.split(whereSeparator: { " \t".contains($0) }).dropFirst().first
            .flatMap { Int($0) }.map { $0 * 1024 } ?? 0
    }

    /// Open files and sockets; 0 where the system doesn't tell.
    var descriptors: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/fd"))?.count ?? 0
    }

    /// Ends it as a person does; kills it if that doesn't help within ten seconds.
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
