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
        "/", "/trends", "/sleep", "/workouts", "/weight", "/why", "/data", "/check-up",
    ]

    func sent(_ chance: inout Chance) -> Sent {
        switch chance.below(100) {
        case 0..<84: return page(&chance)
        case 84..<89: return form(&chance)
        case 89..<94: return unknown(&chance)
        default: return malformed(&chance)
        }
    }

    // MARK: - Addresses

    private func day(_ chance: inout Chance) -> String {
        if chance.percent(45) {
            let month = 1 + chance.below(12)
            let day = 1 + chance.below(28)
            return "2024-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)"
        }
        return chance.pick(Hostile.days)
    }

    private func metric(_ chance: inout Chance) -> String {
        if chance.percent(10) { return chance.pick(Hostile.texts) }
        let kind = catalogue.quantity(&chance)
        return chance.percent(80) ? kind.name : kind.identifier
    }

    func address(_ chance: inout Chance) -> String {
        var path = chance.pick(RequestGrammar.pages)
        var fields: [(String, String)] = []
        switch path {
        case "/trends":
            fields = [("metric", metric(&chance)), ("from", day(&chance)), ("to", day(&chance))]
            fields.append(("by", chance.pick(["hour", "day", "week", "month", "year", "x", ""])))
        case "/why":
            fields = [("metric", metric(&chance)), ("day", day(&chance))]
            if chance.percent(30) { fields += arrangement(&chance) }
        case "/workouts":
            let before = chance.pick(
                ["731000000", "1e11", "-1e11", "99999999999"] + Hostile.numbers)
            fields = [("before", before), ("from", day(&chance)), ("day", day(&chance))]
            if chance.percent(20) {
                path +=
                    "/" + chance.pick(["0C9A2E51-7B5E-4E1A-9E42-111111111111", "x", "%2e%2e", "1"])
            }
        case "/":
            fields = [
                ("day", day(&chance)), ("period", chance.pick(["day", "week", "month", "x"])),
            ]
        default:
            fields = [("day", day(&chance)), ("to", day(&chance)), ("metric", metric(&chance))]
        }
        if chance.percent(35) { path += ".json" }
        fields = fields.filter { _ in chance.percent(60) }
        if chance.percent(8) {
            fields.append((chance.pick(Hostile.texts), chance.pick(Hostile.texts)))
        }
        if chance.percent(5) { fields += fields }
        return RequestGrammar.joined(path, fields, &chance)
    }

    private func arrangement(_ chance: inout Chance) -> [(String, String)] {
        let names = (0..<chance.below(4)).map { _ in Hostile.text(&chance, usual: sources) }
        var fields = [("order", names.joined(separator: ","))]
        if chance.percent(50) { fields.append(("out", Hostile.text(&chance, usual: sources))) }
        if chance.percent(50) { fields.append(("in", Hostile.text(&chance, usual: sources))) }
        for _ in 0..<chance.below(4) {
            fields.append(("on", day(&chance)))
            fields.append(("shows", chance.pick(Hostile.numbers + ["8432", "5.2"])))
        }
        return fields
    }

    private static func joined(
        _ path: String, _ fields: [(String, String)], _ chance: inout Chance
    ) -> String {
        let query = fields.map { escaped($0.0, &chance) + "=" + escaped($0.1, &chance) }
        return path + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }

    static func escaped(_ text: String, _ chance: inout Chance) -> String {
        if chance.percent(2) {
            return chance.pick(["%", "%zz", "%00", "%FF", "%C3%28", "+++", "%0d%0aX-Zq:1"])
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

    private func page(_ chance: inout Chance) -> Sent {
        let path = address(&chance)
        let verb = chance.weighted([(94, "GET"), (6, "HEAD")], or: "GET")
        var lines = [
            "\(verb) \(path) HTTP/1.1", "Host: \(server.host)", "Cookie: \(server.cookie)",
        ]
        if chance.percent(10) {
            lines.append("Accept: \(chance.pick(["application/json", "*/*", "x"]))")
        }
        if chance.percent(5) { lines.append("If-None-Match: \"x\"") }
        if chance.percent(3) {
            lines.append("Sec-Fetch-Site: \(chance.pick(["cross-site", "none"]))")
        }
        return Sent(bytes: closed(lines), isHead: verb == "HEAD", path: path)
    }

    private func closed(_ lines: [String], _ body: [UInt8] = []) -> [UInt8] {
        Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
    }

    private func form(_ chance: inout Chance) -> Sent {
        let key = chance.percent(80) ? server.formKey : chance.pick(Hostile.texts)
        var fields = [("csrf", key), ("metric", metric(&chance)), ("day", day(&chance))]
        fields += arrangement(&chance)
        if chance.percent(30) { fields.append(("reset", "1")) }
        let query = RequestGrammar.joined("", fields, &chance)
        let body = Array(String(query.dropFirst()).utf8)
        let path = chance.percent(85) ? "/why" : chance.pick(RequestGrammar.pages)
        var lines = [
            "POST \(path) HTTP/1.1", "Host: \(server.host)", "Cookie: \(server.cookie)",
            "Content-Type: application/x-www-form-urlencoded",
        ]
        if chance.percent(90) { lines.append("Sec-Fetch-Site: same-origin") }
        if chance.percent(80) {
            lines.append("Content-Length: \(body.count)")
            return Sent(bytes: closed(lines, body), path: path)
        }
        lines.append("Transfer-Encoding: chunked")
        let chunk = Array((String(body.count, radix: 16) + "\r\n").utf8) + body
        let chunks = body.isEmpty ? [] : chunk + [13, 10]
        return Sent(bytes: closed(lines, chunks + Array("0\r\n\r\n".utf8)), path: path)
    }

    /// Returns a valid request without a session: with no cookie, a wrong one or a wrong token.
    private func unknown(_ chance: inout Chance) -> Sent {
        let path =
            chance.percent(80)
            ? address(&chance)
            : "/?token="
                + chance.pick(Hostile.texts.filter { !$0.contains { $0 == " " || $0.isNewline } })
        let cookie = chance.pick([
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
    private static let strangeTargets = [
        "*", "https://evil.example/", "//evil.example/", "\\", "/../../etc/passwd", "/%2e%2e/",
        "/" + String(repeating: "a", count: 70_000), "/?" + String(repeating: "&", count: 30_000),
        "/" + String(repeating: "%25", count: 9000), "x", "/#f", "/why?metric=%ff",
    ]

    func malformed(_ chance: inout Chance) -> Sent {
        let path = chance.percent(60) ? address(&chance) : "/"
        let start = "GET \(path) HTTP/1.1\r\nHost: \(server.host)\r\n"
        let cookie = "Cookie: \(server.cookie)\r\n"
        let text: String
        switch chance.below(22) {
        case 0: text = "\(start)Host: evil.example\r\n\(cookie)\r\n"
        case 1: text = "GET \(path) HTTP/1.1\r\nHost: evil.example\r\n\(cookie)\r\n"
        case 2: text = "GET \(path) HTTP/1.1\r\n\(cookie)\r\n"
        case 3:
            text =
                "\(start)\(cookie)X: \(String(repeating: "a", count: 1 << (10 + chance.below(9))))\r\n\r\n"
        case 4:
            let many = (0..<(50 + chance.below(900))).map { "X-\($0): y\r\n" }.joined()
            text = "\(start)\(cookie)\(many)\r\n"
        case 5: text = "\(start)\(cookie)Content-Length: \(chance.pick(Hostile.numbers))\r\n\r\n"
        case 6: text = "\(start)\(cookie)Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcde"
        case 7:
            text =
                "\(start)\(cookie)Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        case 8:
            text =
                "\(start)\(cookie)Transfer-Encoding: \(chance.pick(["gzip", "chunked, x", ",", "identity"]))\r\n\r\n"
        case 9:
            let sizes = ["zz", "-1", "FFFFFFFFFFFFFFFFF", "4;x=y", "0x4", ""]
            text =
                "POST /why HTTP/1.1\r\nHost: \(server.host)\r\n\(cookie)Transfer-Encoding: chunked\r\n\r\n"
                + "\(chance.pick(sizes))\r\nabcd\r\n0\r\n\r\n"
        case 10:
            let verbs = ["OPTIONS", "PUT", "DELETE", "TRACE", "CONNECT", "PRI", "get", "BREW", ""]
            text = "\(chance.pick(verbs)) \(path) HTTP/1.1\r\nHost: \(server.host)\r\n\(cookie)\r\n"
        case 11:
            let target = chance.pick(Self.strangeTargets)
            text = "GET \(target) HTTP/1.1\r\nHost: \(server.host)\r\n\(cookie)\r\n"
        case 12: text = "\(start)\(cookie)X: a\r\n folded\r\nY\u{0}: c\r\n\r\n"
        case 13:
            text =
                "GET \(path) HTTP/\(chance.pick(["0.9", "1.0", "2.0", "9.9", "1.1x", ""]))\r\n\r\n"
        case 14: text = "\(start)\(cookie)Expect: 100-continue\r\nContent-Length: 3\r\n\r\nabc"
        case 15: text = "\(start)\(cookie)Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n"
        case 16: text = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
        case 17:
            text = "\(start)\(cookie)Range: bytes=0-1,5-,-9\r\nAccept-Encoding: gzip, *;q=0\r\n\r\n"
        case 18: text = "\r\n\r\n\r\n\(start)\(cookie)\r\n"
        case 19: text = String((start + cookie).dropLast(chance.below(40)))
        case 20:
            text =
                "POST /why HTTP/1.1\r\nHost: \(server.host)\r\n\(cookie)Sec-Fetch-Site: same-origin\r\n"
                + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 70000\r\n\r\n"
                + String(repeating: "a=b&", count: 17_500)
        default:
            return Sent(
                bytes: chance.bytes(1 + chance.below(3000)), isKnown: false, isProper: false)
        }
        return Sent(bytes: Array(text.utf8), isProper: false, path: path)
    }
}
