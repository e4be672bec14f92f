import Dispatch
import Foundation
import HealthTesting
import Synchronization
import Testing

@testable import HealthServer

/// Written lines of a log.
final class RecordedLines: Sendable {
    private let texts = Mutex<[String]>([])

    /// A log that writes here.
    func log(limit: Int = RequestLog.limit) -> RequestLog {
        RequestLog(node: "node", limit: limit) { [self] text in
            texts.withLock { $0.append(text) }
            return true
        }
    }

    func append(_ text: String) { texts.withLock { $0.append(text) } }

    var lines: [String] {
        texts.withLock { $0 }.joined().split(separator: "\n").map(String.init)
    }

    /// The lines as JSON; an empty object for a line that isn't.
    var objects: [[String: Any]] {
        lines.map { line in
            (try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]) ?? [:]
        }
    }
}

@Suite struct RequestLogTests {
    static let keys: Set = [
        "time", "method", "path", "status", "ms", "bytesIn", "bytesOut", "actor", "node",
        "dropped",
    ]

    private func line(_ path: String) -> RequestLine {
        RequestLine(
            time: Date(timeIntervalSinceReferenceDate: 0.25), method: "GET", path: path,
            status: 200, milliseconds: 1.5, bytesIn: 0, bytesOut: 9, actor: nil)
    }

    @Test("a line is a JSON object with a fixed order of keys")
    func format() {
        let recorded = RecordedLines()
        let log = recorded.log()
        log.begin(port: 80)
        log.add(line("/data"))
        log.add(message: "The database doesn’t answer.")
        log.flush(within: 60)
        #expect(
            recorded.lines.first == """
                {"time":"2001-01-01T00:00:00.250Z","method":"GET","path":"/data","status":200,\
                "ms":1.5,"bytesIn":0,"bytesOut":9,"actor":null,"node":"node:80","dropped":0}
                """)
        let message = recorded.objects.last
        #expect(message?["message"] as? String == "The database doesn’t answer.")
        #expect(message.map { Set($0.keys) } == ["time", "message", "node"])
    }

    @Test("a slow output blocks no request: lines above the limit are dropped and counted")
    func slowOutput() {
        let recorded = RecordedLines()
        let (isWriting, mayWrite) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let log = RequestLog(node: "node", limit: 3) { text in
            isWriting.signal()
            mayWrite.wait()
            recorded.append(text)
            return true
        }
        log.add(line("/0"))
        isWriting.wait()
        for number in 1...9 { log.add(line("/\(number)")) }
        #expect(log.dropped == 6)
        for _ in 0..<9 { mayWrite.signal() }
        log.flush(within: 60)
        log.add(line("/10"))
        log.add(line("/11"))
        log.flush(within: 60)
        let objects = recorded.objects
        #expect(objects.map { $0["path"] as? String } == ["/0", "/1", "/2", "/3", "/10", "/11"])
        #expect(objects.map { $0["dropped"] as? Int } == [0, 0, 0, 0, 6, 0])
        #expect(log.dropped == 6)
    }

    @Test("lines that can't be written are counted")
    func failingOutput() {
        let log = RequestLog(node: "node") { _ in false }
        log.add(line("/0"))
        log.flush(within: 60)
        #expect(log.dropped == 1)
    }

    @Test("waiting for an output that blocks forever ends")
    func blockedOutput() {
        let mayWrite = DispatchSemaphore(value: 0)
        let log = RequestLog(node: "node") { _ in
            mayWrite.wait()
            return true
        }
        log.add(line("/0"))
        log.flush(within: 0.1)
        mayWrite.signal()
        log.flush(within: 60)
    }
}

@Suite struct PathTemplateTests {
    private func template(_ path: String) -> String { PathTemplate.text(RequestTarget(path)) }

    @Test("each described path is its own template, whatever its names are")
    func described() {
        #expect(DescribedOperation.all.count > 30)
        for operation in DescribedOperation.all {
            let words = operation.path.split(separator: "/").map { word in
                word.hasPrefix("{") ? "marker" : String(word)
            }
            #expect(template("/" + words.joined(separator: "/")) == operation.path)
        }
    }

    @Test("pages have templates without their names and queries")
    func pages() {
        for path in ["/", "/trends", "/data", "/check-up", "/accesses", "/login", "/style.css"] {
            #expect(template(path + "?day=2024-01-01") == path)
        }
        #expect(template("/data.json") == "/data")
        #expect(template("/workouts/0C9A") == "/workouts/{workout}")
        #expect(
            template("/v1/intake/health-auto-export/d1_x")
                == "/v1/intake/health-auto-export/{token}")
    }

    @Test("an unknown address is one word", arguments: ["/none", "/trends/x", "//x", "/v1/none"])
    func unknown(_ path: String) {
        #expect(template(path) == PathTemplate.other)
        #expect(PathTemplate.text(nil) == PathTemplate.other)
    }
}
