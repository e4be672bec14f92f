import Foundation
import HealthTesting
import Testing

/// Each resource of `openhealth serve`, compared with the command of its name.
@Suite(.inTestAll) struct APIAgreementTests {
    private let api: ServedAPI

    init() throws { api = try ServedAPI(try APIStore.shared.get().path) }

    private func command(_ words: String) throws -> String {
        let run = try CommandRun(
            words.split(separator: " ").map(String.init) + ["--json"], store: api.store)
        #expect(run.status == 0, "\(words): \(run.errors)")
        return run.output
    }

    @Test("each resource answers with the bytes of its command")
    func bytes() async throws {
        defer { api.stop() }
        let days = try lastDays()
        let (from, to) = (days[0], days[days.count - 1])
        for (target, words) in [
            ("types", "types"),
            ("types?time-zone=Asia/Tokyo", "types --time-zone Asia/Tokyo"),
            ("sources", "sources"),
            ("sources?type=stepCount", "sources stepCount"),
            ("stats/stepCount", "stats stepCount"),
            (
                "stats/stepCount?from=\(from)&to=\(to)&by=hour",
                "stats stepCount --from \(from) --to \(to) --by hour"
            ),
            ("stats/stepCount?by=total", "stats stepCount --by total"),
            (
                "stats/HKQuantityTypeIdentifierStepCount?by=year&by-source=true",
                "stats stepCount --by year --by-source"
            ),
            (
                "stats/heartRate?by=week&week-starts=sunday",
                "stats heartRate --by week --week-starts sunday"
            ),
            (
                "stats/distanceWalkingRunning?by=month&unit=mi",
                "stats distanceWalkingRunning --by month --unit mi"
            ),
            ("stats/sleepAnalysis", "stats sleepAnalysis"),
            (
                "stats/sleepAnalysis?by=month&by-source=true",
                "stats sleepAnalysis --by month --by-source"
            ),
            ("stats/oxygenSaturation?by=month", "stats oxygenSaturation --by month"),
            ("explain/stepCount?day=\(from)", "explain stepCount --day \(from)"),
            ("workouts", "workouts"),
            ("workouts?from=\(from)", "workouts --from \(from)"),
        ] {
            let answer = try await api.get("/v1/" + target)
            #expect(answer.status == 200, "\(target): \(answer.body.prefix(300))")
            #expect(answer.headers["content-type"] == "application/json; charset=utf-8")
            let expected = try command(words)
            #expect(expected.contains(":[{"), "\(words) has nothing to compare")
            #expect(answer.body == expected, "\(target)")
        }
    }

    /// Returns the last 20 days with steps.
    private func lastDays() throws -> [String] {
        let run = try CommandRun(["stats", "stepCount", "--json"], store: api.store)
        let buckets = try #require(run.object?["buckets"] as? [[String: Any]])
        let days = try buckets.suffix(20).map {
            String(try #require($0["start"] as? String).prefix(10))
        }
        try #require(days.count == 20)
        return days
    }

    @Test("the summary has the values of the command of a day, a week and a month")
    func summary() async throws {
        defer { api.stop() }
        for (query, words) in [
            ("", ""), ("?period=week", " --week"), ("?period=month", " --month"),
        ] {
            var answer = try await api.object("/v1/summary" + query)
            var expected = try #require(
                JSONSerialization.jsonObject(with: Data(command("summary" + words).utf8))
                    as? [String: Any])
            // When it was read.
            (answer["freshness"], expected["freshness"]) = (nil, nil)
            #expect((expected["tiles"] as? [Any])?.isEmpty == false)
            #expect(answer as NSDictionary == expected as NSDictionary)
        }
    }

    @Test("pages of samples are together the samples of the command", arguments: ["", "from"])
    func samples(range: String) async throws {
        defer { api.stop() }
        let from = try lastDays()[0]
        for type in ["stepCount", "heartRate", "sleepAnalysis", "bodyMass"] {
            let words = "samples \(type)" + (range.isEmpty ? "" : " --from \(from)")
            let expected = try #require(
                JSONSerialization.jsonObject(with: Data(command(words).utf8)) as? [String: Any])
            let all = try #require(expected["samples"] as? [[String: Any]])
            var found: [[String: Any]] = []
            var cursor = ""
            var pages = 0
            repeat {
                let page = try await api.object(
                    "/v1/samples/\(type)?limit=\(max(1, all.count / 3))"
                        + (range.isEmpty ? "" : "&from=\(from)")
                        + (cursor.isEmpty ? "" : "&cursor=\(cursor)"))
                #expect(page["type"] as? String == expected["type"] as? String)
                #expect(page["unit"] as? String == expected["unit"] as? String)
                found += try #require(page["samples"] as? [[String: Any]])
                cursor = page["next"] as? String ?? ""
                pages += 1
            } while !cursor.isEmpty && pages < 20
            #expect(pages >= min(3, all.count) && pages < 6, "\(type)")
            #expect(found.count == all.count && !all.isEmpty, "\(type)")
            #expect(found as NSArray == all as NSArray, "\(type)")
        }
        let whole = try await api.get("/v1/samples/bodyMass?limit=10000")
        #expect(
            whole.body.replacing(",\"next\":null", with: "") == (try command("samples bodyMass")))
    }

    @Test("nights have the numbers of the sleep statistics of their day")
    func sleep() async throws {
        defer { api.stop() }
        let nights = try #require(try await api.object("/v1/sleep")["nights"] as? [[String: Any]])
        let stats = try JSONSerialization.jsonObject(
            with: Data(command("stats sleepAnalysis").utf8))
        let buckets = try #require((stats as? [String: Any])?["buckets"] as? [[String: Any]])
        #expect(nights.count == buckets.count && nights.count > 20)
        for (night, bucket) in zip(nights, buckets) {
            #expect(
                Set(night.keys) == ["day", "start", "end", "asleep", "inBed", "stages", "naps"])
            #expect(night["day"] as? String == bucket["day"] as? String)
            let interval = try #require(bucket["night"] as? [String: String])
            #expect(night["start"] as? String == interval["start"])
            #expect(night["end"] as? String == interval["end"])
            #expect(night["asleep"] as? Double == bucket["asleep"] as? Double)
            #expect(night["inBed"] as? Double == bucket["inBed"] as? Double)
            #expect(night["stages"] as? [String: Double] == bucket["seconds"] as? [String: Double])
            let naps = try #require(night["naps"] as? [[String: Any]])
            #expect(naps.count == bucket["naps"] as? Int)
            let asleep = naps.reduce(0) { $0 + ($1["asleep"] as? Double ?? 0) }
            #expect(asleep == bucket["napSeconds"] as? Double)
        }
        let day = try #require(nights[9]["day"] as? String)
        let last = try #require(nights[10]["day"] as? String)
        let one =
            try await api.object("/v1/sleep?from=\(day)&to=\(last)")["nights"] as? [[String: Any]]
        #expect(one?.count == 1 && one?.first?["day"] as? String == day)
    }

    /// Returns an exported workout without its members and the points of its routes, which are in
    /// exports only. Other samples don't change.
    private func withoutMembersAndPoints(_ sample: [String: Any]) -> [String: Any] {
        guard var detail = sample["detail"] as? [String: Any],
            var workout = detail["workout"] as? [String: Any],
            let routes = workout["routes"] as? [[String: Any]]
        else { return sample }
        var changed = sample
        workout["routes"] = routes.map { $0.filter { $0.key != "points" } }
        detail["workout"] = workout
        (changed["detail"], changed["members"]) = (detail, nil)
        return changed
    }

    @Test("changes from the beginning are all samples, as exported in JSON lines")
    func changes() async throws {
        defer { api.stop() }
        let folder = try TemporaryFolder()
        let file = folder.path + "/samples.jsonl"
        let export = try CommandRun(
            ["export", "--format", "jsonl", "--out", file], store: api.store)
        #expect(export.status == 0, "\(export.errors)")
        let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
        var found: [String: NSDictionary] = [:]
        var cursor = ""
        var isLast = false
        while !isLast {
            let page = try await api.object("/v1/changes?limit=3000&after=" + cursor)
            for sample in try #require(page["samples"] as? [[String: Any]]) {
                found[try #require(sample["uuid"] as? String)] = sample as NSDictionary
            }
            #expect((page["deletions"] as? [Any])?.isEmpty == true)
            cursor = try #require(page["cursor"] as? String)
            isLast = page["more"] as? Bool == false
        }
        var different = 0
        for line in lines {
            let sample = try #require(
                JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            let uuid = try #require(sample["uuid"] as? String)
            let known = withoutMembersAndPoints(found[uuid] as? [String: Any] ?? [:])
            let exported = withoutMembersAndPoints(sample)
            if known as NSDictionary != exported as NSDictionary { different += 1 }
        }
        #expect(different == 0)
        #expect(found.count == lines.count && found.count > 10_000)
        let next = try await api.object("/v1/changes?after=" + cursor)
        #expect((next["samples"] as? [Any])?.isEmpty == true && next["cursor"] as? String == cursor)
    }
}
