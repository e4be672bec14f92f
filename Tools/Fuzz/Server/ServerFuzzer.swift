import Foundation

/// Sends valid and invalid requests to a running server. The server must respond to every valid
/// request. No response may have a status of 500 or above. The process must not end, and must not
/// send data to clients without a session.
final class ServerFuzzer: Fuzzer {
    private let command: TestedCommand
    private let findings: Findings
    private let templates: TemplateStores
    private let catalogue: Catalogue
    private let store: String
    private var server: PageServer?
    private var kind = TemplateStores.Kind.rich
    private var connections = 0
    private var requests = 0
    private var statusCounts: [Int: Int] = [:]
    private var starts = 0
    /// The memory in bytes and the number of open files of this server after its first requests, as
    /// the baseline of later checks; nil before.
    private var baseline: (memory: Int, descriptors: Int)?
    private var requestsSinceStart = 0
    private var last: [String] = []

    /// The number of requests to one server, and that after which the baseline is measured.
    private static let requestsPerServer = 40_000
    private static let baselineRequests = 8_000

    var counts: [(String, Int)] {
        [("requests", requests), ("connections", connections), ("servers", starts)]
            + statusCounts.sorted { $0.key < $1.key }.map { ("answers of \($0.key)", $0.value) }
    }

    init(_ command: TestedCommand, _ findings: Findings) throws {
        self.command = command
        self.findings = findings
        templates = try TemplateStores(command)
        catalogue = try Catalogue()
        store = command.folder + "/s.sqlite"
    }

    func runCase(_ number: Int, _ random: inout SeededRandom) throws {
        guard let server = running(&random) else {
            return found("server does not start", "over the store \(kind.rawValue)")
        }
        guard let connection = Connection(port: server.port) else {
            return lost(server, "refuses connections")
        }
        connections += 1
        let grammar = RequestGrammar(catalogue: catalogue, server: server)
        let count = random.percent(70) ? 1 + random.below(40) : 1
        var sent: [RequestGrammar.Sent] = []
        for _ in 0..<count {
            sent.append(grammar.sent(&random))
            // The requests after an invalid one are undefined.
            if sent.last?.isProper == false { break }
        }
        last = sent.map { String(decoding: $0.bytes.prefix(2000), as: UTF8.self) }
        requests += sent.count
        requestsSinceStart += sent.count
        if random.percent(50) {
            connection.send(sent.flatMap(\.bytes))
            for one in sent {
                if !checkResponse(one, connection, server) { break }
            }
        } else {
            for one in sent {
                connection.send(one.bytes)
                if !checkResponse(one, connection, server) { break }
            }
        }
        if random.percent(2) { events(server) }
        if !server.isAlive { return lost(server, "ended") }
        measure(server)
    }

    /// Returns the server; a new one with the next kind of store if it has ended or had the maximum
    /// number of requests; nil if that doesn't start.
    private func running(_ random: inout SeededRandom) -> PageServer? {
        if let server, server.isAlive, requestsSinceStart < ServerFuzzer.requestsPerServer {
            return server
        }
        stop()
        starts += 1
        requestsSinceStart = 0
        baseline = nil
        kind = TemplateStores.Kind.allCases[starts % TemplateStores.Kind.allCases.count]
        templates.place(kind, at: store)
        server = PageServer(command, store: store)
        return server
    }

    /// Reads and checks the response to a request.
    ///
    /// - Returns: Whether the connection stays open for more requests.
    private func checkResponse(
        _ sent: RequestGrammar.Sent, _ connection: Connection, _ server: PageServer
    ) -> Bool {
        if !sent.isProper { connection.finish() }
        let response = connection.response(timeout: sent.isProper ? 20 : 3, head: sent.isHead)
        guard let response else {
            if sent.isProper, !connection.isClosed || !server.isAlive {
                found("no answer", sent.path)
            } else if sent.isProper {
                found("closed without an answer", sent.path)
            }
            return false
        }
        statusCounts[response.status, default: 0] += 1
        if response.status >= 500, response.status != 503 {
            found("status \(response.status) of \(page(sent.path))", sent.path)
        } else if response.status == 503 {
            found("status 503 of \(page(sent.path))", "nobody else writes: \(sent.path)")
        } else if response.status < 100 {
            found("no status", sent.path)
        }
        if sent.isProper, !response.isComplete { found("answer cut short", sent.path) }
        checkAccess(sent, response)
        if response.headers["x-zq"] != nil { found("a request writes headers", sent.path) }
        let isPage = response.headers["content-type"]?.hasPrefix("text/html") == true
        if isPage, response.text.contains("<b>&amp;</b>") {
            found("markup is let through", sent.path)
        }
        if sent.isProper, sent.isKnown, !sent.isHead, response.status == 200,
            sent.path.split(separator: "?").first?.hasSuffix(".json") == true,
            !Oracles.isJSON(response.body)
        {
            found("no JSON from \(page(sent.path))", sent.path)
        }
        return response.headers["connection"]?.lowercased() != "close"
    }

    /// Checks that no data of a store is sent without a session.
    private func checkAccess(_ sent: RequestGrammar.Sent, _ response: HTTPResponse) {
        guard !sent.isKnown else { return }
        if response.status == 200 { found("status 200 without a session", sent.path) }
        let text = response.text
        for secret in TemplateStores.secrets + [TemplateStores.source] where text.contains(secret) {
            found("a stranger reads the store", "\(secret) at \(sent.path)")
        }
    }

    private func page(_ path: String) -> String {
        String(path.prefix { !"?.".contains($0) }.prefix(12))
    }

    /// Opens an event stream and closes the connection at once.
    private func events(_ server: PageServer) {
        guard let connection = Connection(port: server.port) else { return }
        connection.send(server.request("/events"))
        _ = connection.response(timeout: 0.05)
        requests += 1
        requestsSinceStart += 1
    }

    private func measure(_ server: PageServer) {
        guard requestsSinceStart >= ServerFuzzer.baselineRequests, requests % 50 == 0 else {
            return
        }
        let now = (memory: server.memory, descriptors: server.descriptors)
        guard let baseline else { return self.baseline = now }
        if now.memory > baseline.memory + (200 << 20) {
            found(
                "memory of the server",
                "\(baseline.memory >> 20) to \(now.memory >> 20) MiB in \(requestsSinceStart)")
            self.baseline?.memory = now.memory
        }
        if now.descriptors > baseline.descriptors + 64 {
            found("descriptors of the server", "\(baseline.descriptors) to \(now.descriptors)")
            self.baseline?.descriptors = now.descriptors
        }
    }

    private func found(_ kind: String, _ words: String) {
        findings.add(
            Finding(
                kind: kind, words: words, files: [],
                lines: [
                    "store \(self.kind.rawValue)",
                    server?.errorOutput.suffix(500).description ?? "",
                ]
                    + last))
    }

    private func lost(_ server: PageServer, _ words: String) {
        // A process that was killed by a signal takes a moment to end.
        for _ in 0..<100 where server.isAlive { usleep(10_000) }
        found("server \(words), \(server.ending)", last.last?.prefix(200).description ?? "")
        self.server = nil
        server.end()
    }

    private func stop() {
        guard let server else { return }
        if !server.end() { found("server ignores SIGTERM", "") }
        for secret in TemplateStores.secrets where server.errorOutput.contains(secret) {
            found("health value in the server's error", "it holds \(secret)")
        }
        self.server = nil
    }

    func end() { stop() }
}
