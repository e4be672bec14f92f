/// What no browser sends.
extension RequestGrammar {
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
            let targets = [
                "*", "https://evil.example/", "//evil.example/", "\\", "/../../etc/passwd",
                "/%2e%2e/",
                "/" + String(repeating: "a", count: 70_000),
                "/?" + String(repeating: "&", count: 30_000),
                "/" + String(repeating: "%25", count: 9000), "x", "/#f", "/why?metric=%ff",
            ]
            text = "GET \(chance.pick(targets)) HTTP/1.1\r\nHost: \(server.host)\r\n\(cookie)\r\n"
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
