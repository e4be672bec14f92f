/// Generates valid, unusual and malformed requests.
struct RequestGrammar {
    /// A request with the expected properties of its response.
    struct Sent {
        var bytes: [UInt8]
        var isHead = false
        /// Whether it has the cookie of a session.
        var isKnown = true
        /// Whether it is valid HTTP, so that a response is required and another request may follow.
        var isProper = true
        var path = ""
    }

    let catalogue: Catalogue
    let server: PageServer
    /// Names of sources in the template stores.
    var sources = ["Zqsource", "iPhone", "Health"]

    private static let pages = [
        "/", "/type", "/sleep", "/workouts", "/weight", "/why", "/data", "/check-up",
    ]

    func sent(_ random: inout SeededRandom) -> Sent {
        switch random.below(100) {
        case 0..<84: return page(&random)
        case 84..<89: return form(&random)
        case 89..<94: return unknown(&random)
        default: return malformed(&random)
        }
    }

    // MARK: - Addresses

    private func day(_ random: inout SeededRandom) -> String {
        if random.percent(45) {
            let month = 1 + random.below(12)
            let day = 1 + random.below(28)
            return "2024-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)"
        }
        return random.pick(Hostile.days)
    }

    private func metric(_ random: inout SeededRandom) -> String {
        if random.percent(10) { return random.pick(Hostile.texts) }
        let kind = catalogue.quantity(&random)
        return random.percent(80) ? kind.name : kind.identifier
    }

    func address(_ random: inout SeededRandom) -> String {
        var path = random.pick(RequestGrammar.pages)
        var fields: [(String, String)] = []
        switch path {
        case "/type":
            fields = [("metric", metric(&random)), ("from", day(&random)), ("to", day(&random))]
            fields.append(("by", random.pick(["hour", "day", "week", "month", "year", "x", ""])))
        case "/why":
            fields = [("metric", metric(&random)), ("day", day(&random))]
            if random.percent(30) { fields += arrangement(&random) }
        case "/workouts":
            let before = random.pick(
                ["731000000", "1e11", "-1e11", "99999999999"] + Hostile.numbers)
            fields = [("before", before), ("from", day(&random)), ("day", day(&random))]
            if random.percent(20) {
                path +=
                    "/" + random.pick(["0C9A2E51-7B5E-4E1A-9E42-111111111111", "x", "%2e%2e", "1"])
            }
        case "/":
            fields = [
                ("day", day(&random)), ("period", random.pick(["day", "week", "month", "x"])),
            ]
        default:
            fields = [("day", day(&random)), ("to", day(&random)), ("metric", metric(&random))]
        }
        if random.percent(35) { path += ".json" }
        fields = fields.filter { _ in random.percent(60) }
        if random.percent(8) {
            fields.append((random.pick(Hostile.texts), random.pick(Hostile.texts)))
        }
        if random.percent(5) { fields += fields }
        return RequestGrammar.joined(path, fields, &random)
    }

    private func arrangement(_ random: inout SeededRandom) -> [(String, String)] {
        let names = (0..<random.below(4)).map { _ in Hostile.text(&random, usual: sources) }
        var fields = [("order", names.joined(separator: ","))]
        if random.percent(50) { fields.append(("out", Hostile.text(&random, usual: sources))) }
        if random.percent(50) { fields.append(("in", Hostile.text(&random, usual: sources))) }
        for _ in 0..<random.below(4) {
            fields.append(("on", day(&random)))
            fields.append(("shows", random.pick(Hostile.numbers + ["8432", "5.2"])))
        }
        return fields
    }

    private static func joined(
        _ path: String, _ fields: [(String, String)], _ random: inout SeededRandom
    ) -> String {
        let query = fields.map { escaped($0.0, &random) + "=" + escaped($0.1, &random) }
        return path + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }

    static func escaped(_ text: String, _ random: inout SeededRandom) -> String {
        if random.percent(2) {
            return random.pick(["%", "%zz", "%00", "%FF", "%C3%28", "+++", "%0d%0aX-Zq:1"])
        }
        return text.utf8.map { byte in
            let scalar = Unicode.Scalar(byte)
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_", ",": return String(scalar)
            default:
                let hex = String(byte, radix: 16)
                return hex.count == 1 ? "%0" + hex : "%" + hex
            }
        }.joined()
    }

    // MARK: - Requests

    private func page(_ random: inout SeededRandom) -> Sent {
        let path = address(&random)
        let verb = random.weighted([(94, "GET"), (6, "HEAD")], or: "GET")
        var lines = [
            "\(verb) \(path) HTTP/1.1", "Host: \(server.host)", "Cookie: \(server.cookie)",
        ]
        if random.percent(10) {
            lines.append("Accept: \(random.pick(["application/json", "*/*", "x"]))")
        }
        if random.percent(5) { lines.append("If-None-Match: \"x\"") }
        if random.percent(3) {
            lines.append("Sec-Fetch-Site: \(random.pick(["cross-site", "none"]))")
        }
        return Sent(bytes: closed(lines), isHead: verb == "HEAD", path: path)
    }

    private func closed(_ lines: [String], _ body: [UInt8] = []) -> [UInt8] {
        Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
    }

    private func form(_ random: inout SeededRandom) -> Sent {
        let key = random.percent(80) ? server.formKey : random.pick(Hostile.texts)
        var fields = [("csrf", key), ("metric", metric(&random)), ("day", day(&random))]
        fields += arrangement(&random)
        if random.percent(30) { fields.append(("reset", "1")) }
        let query = RequestGrammar.joined("", fields, &random)
        let body = Array(String(query.dropFirst()).utf8)
        let path = random.percent(85) ? "/why" : random.pick(RequestGrammar.pages)
        var lines = [
            "POST \(path) HTTP/1.1", "Host: \(server.host)", "Cookie: \(server.cookie)",
            "Content-Type: application/x-www-form-urlencoded",
        ]
        if random.percent(90) { lines.append("Sec-Fetch-Site: same-origin") }
        if random.percent(80) {
            lines.append("Content-Length: \(body.count)")
            return Sent(bytes: closed(lines, body), path: path)
        }
        lines.append("Transfer-Encoding: chunked")
        let chunk = Array((String(body.count, radix: 16) + "\r\n").utf8) + body
        let chunks = body.isEmpty ? [] : chunk + [13, 10]
        return Sent(bytes: closed(lines, chunks + Array("0\r\n\r\n".utf8)), path: path)
    }

    /// Returns a valid request without a session: with no cookie, a wrong one or a wrong token.
    private func unknown(_ random: inout SeededRandom) -> Sent {
        let path =
            random.percent(80)
            ? address(&random)
            : "/?token="
                + random.pick(Hostile.texts.filter { !$0.contains { $0 == " " || $0.isNewline } })
        let cookie = random.pick([
            "", "Cookie: openhealth-\(server.port)=" + String(repeating: "0", count: 64),
            "Cookie: x=y; openhealth-1=z", "Cookie: =", "Cookie: " + server.cookie.dropLast(),
        ])
        var lines = ["GET \(path) HTTP/1.1", "Host: \(server.host)"]
        if !cookie.isEmpty { lines.append(cookie) }
        return Sent(bytes: closed(lines), isKnown: false, path: path)
    }
}

/// Malformed requests.
extension RequestGrammar {
    private static let malformedTargets = [
        "*", "https://evil.example/", "//evil.example/", "\\", "/../../etc/passwd", "/%2e%2e/",
        "/" + String(repeating: "a", count: 70_000), "/?" + String(repeating: "&", count: 30_000),
        "/" + String(repeating: "%25", count: 9000), "x", "/#f", "/why?metric=%ff",
    ]

    func malformed(_ random: inout SeededRandom) -> Sent {
        let path = random.percent(60) ? address(&random) : "/"
        let start = "GET \(path) HTTP/1.1\r\nHost: \(server.host)\r\n"
        let cookie = "Cookie: \(server.cookie)\r\n"
        let text: String
        switch random.below(22) {
        case 0: text = "\(start)Host: evil.example\r\n\(cookie)\r\n"
        case 1: text = "GET \(path) HTTP/1.1\r\nHost: evil.example\r\n\(cookie)\r\n"
        case 2: text = "GET \(path) HTTP/1.1\r\n\(cookie)\r\n"
        case 3:
            text =
                "\(start)\(cookie)X: \(String(repeating: "a", count: 1 << (10 + random.below(9))))\r\n\r\n"
        case 4:
            let many = (0..<(50 + random.below(900))).map { "X-\($0): y\r\n" }.joined()
            text = "\(start)\(cookie)\(many)\r\n"
        case 5: text = "\(start)\(cookie)Content-Length: \(random.pick(Hostile.numbers))\r\n\r\n"
        case 6: text = "\(start)\(cookie)Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcde"
        case 7:
            text =
                "\(start)\(cookie)Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        case 8:
            text =
                "\(start)\(cookie)Transfer-Encoding: \(random.pick(["gzip", "chunked, x", ",", "identity"]))\r\n\r\n"
        case 9:
            let sizes = ["zz", "-1", "FFFFFFFFFFFFFFFFF", "4;x=y", "0x4", ""]
            text =
                "POST /why HTTP/1.1\r\nHost: \(server.host)\r\n\(cookie)Transfer-Encoding: chunked\r\n\r\n"
                + "\(random.pick(sizes))\r\nabcd\r\n0\r\n\r\n"
        case 10:
            let verbs = ["OPTIONS", "PUT", "DELETE", "TRACE", "CONNECT", "PRI", "get", "BREW", ""]
            text = "\(random.pick(verbs)) \(path) HTTP/1.1\r\nHost: \(server.host)\r\n\(cookie)\r\n"
        case 11:
            let target = random.pick(Self.malformedTargets)
            text = "GET \(target) HTTP/1.1\r\nHost: \(server.host)\r\n\(cookie)\r\n"
        case 12: text = "\(start)\(cookie)X: a\r\n folded\r\nY\u{0}: c\r\n\r\n"
        case 13:
            text =
                "GET \(path) HTTP/\(random.pick(["0.9", "1.0", "2.0", "9.9", "1.1x", ""]))\r\n\r\n"
        case 14: text = "\(start)\(cookie)Expect: 100-continue\r\nContent-Length: 3\r\n\r\nabc"
        case 15: text = "\(start)\(cookie)Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n"
        case 16: text = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
        case 17:
            text = "\(start)\(cookie)Range: bytes=0-1,5-,-9\r\nAccept-Encoding: gzip, *;q=0\r\n\r\n"
        case 18: text = "\r\n\r\n\r\n\(start)\(cookie)\r\n"
        case 19: text = String((start + cookie).dropLast(random.below(40)))
        case 20:
            text =
                "POST /why HTTP/1.1\r\nHost: \(server.host)\r\n\(cookie)Sec-Fetch-Site: same-origin\r\n"
                + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 70000\r\n\r\n"
                + String(repeating: "a=b&", count: 17_500)
        default:
            return Sent(
                bytes: random.bytes(1 + random.below(3000)), isKnown: false, isProper: false)
        }
        return Sent(bytes: Array(text.utf8), isProper: false, path: path)
    }
}
