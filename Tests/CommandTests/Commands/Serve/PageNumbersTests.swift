import Foundation
import HealthTesting
import Testing

/// Every number on a page of `openhealth serve`, compared with the command for the same question.
@Suite(.inTestAll) struct PageNumbersTests {
    private let serving: Serving
    private let store: String

    init() throws {
        store = try ServedStore.shared.get().path
        serving = try Serving(["serve"], store: store)
    }

    private func object(_ target: String, _ cookie: String) async throws -> [String: Any] {
        let answer = try await serving.send(target, cookie: cookie)
        #expect(answer.status == 200, "\(target)")
        return try #require(
            JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any])
    }

    private func cookie() async throws -> String {
        try #require(try await serving.send("/?token=" + serving.token).cookie)
    }

    private func moment(_ value: Any?) throws -> Date {
        let text = try #require(value as? String)
        return try #require(try? Date(text, strategy: .iso8601), "\(text)")
    }

    /// Returns the output of `stats`, by the start of each bucket.
    private func stats(
        _ type: String, by step: String
    ) throws -> [Date: (value: Double?, least: Double?, most: Double?)] {
        let run = try CommandRun(["stats", type, "--by", step, "--json"], store: store)
        #expect(run.status == 0, "\(run.errors)")
        let buckets = try #require(run.object?["buckets"] as? [[String: Any]])
        let pairs = try buckets.map { bucket in
            (
                try moment(bucket["start"]),
                (
                    (bucket["sum"] ?? bucket["average"]) as? Double,
                    bucket["minimum"] as? Double, bucket["maximum"] as? Double
                )
            )
        }
        return Dictionary(pairs) { first, _ in first }
    }

    @Test(
        "a trend's numbers are those of `stats`, amounts and readings, by every step",
        arguments: ["stepCount", "heartRate"], ["day", "week", "month", "year"])
    func trends(type: String, step: String) async throws {
        defer { serving.command.kill() }
        let cookie = try await cookie()
        let expected = try stats(type, by: step)
        let range = try (#require(expected.keys.min()), #require(expected.keys.max()))
        let days = [range.0, range.1 + 26 * 3600].map {
            $0.formatted(.iso8601.year().month().day())
        }
        let page = try await object(
            "/type.json?metric=\(type)&by=\(step)&from=\(days[0])&to=\(days[1])", cookie)
        let series = try #require(page["series"] as? [String: Any])
        let points = try #require(series["points"] as? [[String: Any]])
        var compared = 0
        for point in points {
            let start = try moment(point["start"])
            let (value, least, most) = expected[start] ?? (nil, nil, nil)
            for (name, expected) in [
                ("value", value), ("minimum", least), ("maximum", most),
            ] where name == "value" || type == "heartRate" {
                let shown = point[name] as? Double
                guard let expected else {
                    #expect(shown == nil, "\(name) of \(start)")
                    continue
                }
                #expect(abs(try #require(shown) - expected) <= 1e-9 * abs(expected), "\(start)")
                compared += 1
            }
        }
        let values = expected.values.filter { $0.value != nil }.count
        #expect(compared == values * (type == "heartRate" ? 3 : 1) && values > 0)
    }

    @Test("each type of a simulated person has a page with a chart and a table equal to `stats`")
    func types() async throws {
        defer { serving.command.kill() }
        let cookie = try await cookie()
        let listed = try CommandRun(["types", "--json"], store: store)
        let types = try #require(listed.object?["types"] as? [[String: Any]])
        #expect(types.count >= 15)
        for type in types.compactMap({ $0["type"] as? String ?? $0["name"] as? String }) {
            let html = try await serving.send("/type/\(type)", cookie: cookie)
            #expect(html.status == 200, "\(type)")
            #expect(html.body.contains("<svg class=\"plot\""), "\(type)")
            let page = try await object("/type/\(type).json?period=month", cookie)
            let series = try #require(page["series"] as? [String: Any])
            let points = try #require(series["points"] as? [[String: Any]])
            #expect(points.contains { $0["value"] is Double }, "\(type)")
            let metric = try #require(page["metric"] as? [String: Any])
            let unit =
                metric["kind"] as? String == "state"
                ? [] : ["--unit", metric["unit"] as? String ?? ""]
            let run = try CommandRun(["stats", type, "--by", "day", "--json"] + unit, store: store)
            // Types without statistics, such as blood pressure, count samples.
            guard run.status == 0, let buckets = run.object?["buckets"] as? [[String: Any]] else {
                continue
            }
            for point in points {
                let start = try moment(point["start"])
                let bucket = try buckets.first { try moment($0["start"]) == start }
                let expected = bucket.flatMap {
                    ($0["sum"] ?? $0["average"] ?? $0["duration"] ?? $0["asleep"]) as? Double
                }
                let shown = point["value"] as? Double
                #expect((shown == nil) == (expected == nil), "\(type) on \(start)")
                if let shown, let expected {
                    #expect(abs(shown - expected) <= 1e-9 * abs(expected), "\(type) on \(start)")
                }
            }
        }
    }

    /// Returns a weight in kilograms, converted from the unit beside it.
    private func kilograms(_ object: [String: Any], _ name: String) throws -> Double {
        let value = try #require(object[name] as? Double)
        switch object["unit"] as? String {
        case "kg": return value
        case "lb": return value * 0.453_592_37
        default: throw UnknownUnit()
        }
    }

    private struct UnknownUnit: Error {}

    @Test("weights are those of `samples`, and their trend is that of `weight trend`")
    func weight() async throws {
        defer { serving.command.kill() }
        let page = try await object("/weight.json", try await cookie())
        let measured = try #require(page["measured"] as? [[String: Any]])
        let listed = try CommandRun(["samples", "bodyMass", "--json"], store: store)
        let samples = try #require(listed.object?["samples"] as? [[String: Any]])
        #expect(measured.count > 10)
        // The page shows two years at most.
        for (shown, sample) in zip(measured.reversed(), samples.reversed()) {
            #expect(try moment(shown["date"]) == moment(sample["start"]))
            let value = try kilograms(sample, "value")
            #expect(abs(try #require(shown["value"] as? Double) - value) < 1e-9)
        }
        let trend = try CommandRun(["weight", "trend", "--json"], store: store)
        let latest = try kilograms(#require(trend.object), "trend")
        let points = try #require(page["trend"] as? [[String: Any]])
        #expect(abs(try #require(points.last?["value"] as? Double) - latest) < 1e-6)
    }
}

/// A simulated person's data of some months, for tests that only read.
private final class ServedStore: Sendable {
    static let shared = Result { try ServedStore() }

    private let folder: TemporaryFolder
    var path: String { folder.path + "/health.sqlite" }

    init() throws {
        folder = try TemporaryFolder()
        let export = folder.path + "/export.zip"
        for arguments in [
            ["simulate", "--out", export, "--records", "20000", "--seed", "7"], ["import", export],
        ] {
            let run = try CommandRun(arguments, store: path)
            try #require(run.status == 0, "\(run.errors)")
        }
    }
}
