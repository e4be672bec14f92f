import Foundation
import HealthTesting
import Testing

/// What read tokens permit, with the real command.
@Suite(.inTestAll) struct APIAccessTests {
    private func error(_ answer: RawResponse, _ status: Int, _ kind: String) throws {
        #expect(answer.status == status, "\(answer.body)")
        #expect(answer.headers["content-type"] == "application/problem+json")
        let problem = try #require(
            JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any])
        #expect(Set(problem.keys) == ["type", "title", "status", "detail"])
        #expect(problem["type"] as? String == "urn:openhealth:problem:" + kind)
        #expect(problem["status"] as? Int == status)
    }

    @Test("a token for two types reads these, and lists nothing else")
    func types() async throws {
        let store = try APIStore.shared.get().path
        let api = try ServedAPI(store, ["--types", "stepCount,sleepAnalysis"])
        defer { api.stop() }
        let types = try #require(try await api.object("/v1/types")["types"] as? [[String: Any]])
        #expect(
            types.compactMap { $0["type"] as? String } == [
                "HKCategoryTypeIdentifierSleepAnalysis", "HKQuantityTypeIdentifierStepCount",
            ])
        _ = try await api.object("/v1/stats/stepCount?by=month")
        _ = try await api.object("/v1/sleep")
        for target in [
            "stats/heartRate", "samples/heartRate", "explain/activeEnergyBurned?day=2024-01-01",
            "sources?type=heartRate", "workouts",
        ] {
            try error(try await api.get("/v1/" + target), 403, "not-permitted")
        }
        let page = try await api.object("/v1/changes?limit=10000")
        let samples = try #require(page["samples"] as? [[String: Any]])
        #expect(
            Set(samples.compactMap { $0["type"] as? String }).isSubset(of: [
                "HKCategoryTypeIdentifierSleepAnalysis", "HKQuantityTypeIdentifierStepCount",
            ]) && !samples.isEmpty)
        let summary = try await api.object("/v1/summary")
        let tiles = try #require(summary["tiles"] as? [[String: Any]])
        #expect(tiles.count == 1 && summary["rings"] == nil)
        #expect((summary["workouts"] as? [Any])?.isEmpty == true)
        // The cursor belongs to what this token permits.
        let other = try ServedAPI.addToken(store, ["--types", "stepCount"]).token
        let cursor = try #require(page["cursor"] as? String)
        try error(try await api.get("/v1/changes?after=" + cursor, token: other), 410, "cursor")
        try error(try await api.get("/v1/changes?after=x", token: other), 400, "invalid-request")
    }

    @Test("a token with a first day reads nothing that starts before it")
    func since() async throws {
        let store = try APIStore.shared.get().path
        let stats = try CommandRun(["stats", "stepCount", "--json"], store: store)
        let buckets = try #require(stats.object?["buckets"] as? [[String: Any]])
        let since = String(try #require(buckets[buckets.count - 9]["start"] as? String).prefix(10))
        let api = try ServedAPI(store, ["--since", since])
        defer { api.stop() }
        let allowed = try #require(
            try await api.object("/v1/stats/stepCount")["buckets"] as? [[String: Any]])
        #expect(allowed.count == 9)
        #expect(Array(allowed.dropFirst()) as NSArray == Array(buckets.suffix(8)) as NSArray)
        for type in ["stepCount", "heartRate", "sleepAnalysis"] {
            let page = try await api.object("/v1/samples/\(type)?limit=10000")
            let starts = try #require(page["samples"] as? [[String: Any]])
                .compactMap { ($0["start"] as? String)?.prefix(10) }
            #expect(!starts.isEmpty && starts.allSatisfy { $0 >= since }, "\(type)")
        }
        let nights = try #require(try await api.object("/v1/sleep")["nights"] as? [[String: Any]])
        #expect(!nights.isEmpty)
        #expect(nights.allSatisfy { ($0["start"] as? String ?? "") >= since })
        for item in try #require(try await api.object("/v1/types")["types"] as? [[String: Any]]) {
            #expect((item["first"] as? String ?? "") >= since, "\(item["type"] ?? "")")
        }
        let workouts = try await api.object("/v1/workouts")["workouts"] as? [[String: Any]]
        #expect((workouts ?? []).allSatisfy { ($0["start"] as? String ?? "") >= since })
        let changes = try await api.object("/v1/changes?limit=10000")["samples"] as? [[String: Any]]
        #expect((changes ?? []).allSatisfy { ($0["start"] as? String ?? "") >= since })
        #expect(changes?.isEmpty == false)
        let summary = try await api.object("/v1/summary")
        for tile in try #require(summary["tiles"] as? [[String: Any]]) {
            let series = try #require(tile["series"] as? [String: Any])
            let points = try #require(series["points"] as? [[String: Any]])
            #expect(points.filter { $0["value"] != nil }.count <= 9)
        }
    }

    @Test("a token for statistics reads no single sample, and no part of a day")
    func aggregatedOnly() async throws {
        let store = try APIStore.shared.get().path
        let api = try ServedAPI(store, ["--aggregated-only"])
        defer { api.stop() }
        for target in ["samples/stepCount", "changes", "workouts"] {
            try error(try await api.get("/v1/" + target), 403, "not-permitted")
        }
        try error(
            try await api.get("/v1/stats/stepCount?from=2024-01-01T08:00:00Z&by=total"), 403,
            "not-permitted")
        _ = try await api.object("/v1/sleep")
        let stats = try await api.object("/v1/stats/stepCount?by=day")
        let buckets = try #require(stats["buckets"] as? [[String: Any]])
        let day = try #require(buckets.last?["start"] as? String).prefix(10)
        let explained = try await api.object("/v1/explain/stepCount?day=\(day)")
        #expect(explained["segments"] == nil && explained["sources"] != nil)
        let summary = try await api.object("/v1/summary")
        #expect(summary["night"] == nil && summary["tiles"] != nil)
    }

    @Test("tokens are added, listed and removed while the server runs, and survive its restart")
    func tokens() async throws {
        let folder = try TemporaryFolder()
        let store = folder.path + "/health.sqlite"
        #expect(try CommandRun(["import", AnnasStore.export], store: store).status == 0)
        let serving = try Serving(["serve"], store: store)
        let first = try ServedAPI.addToken(store, ["--since", "2024-01-02"])
        let api = ServedAPI(serving, store, token: first.token)
        defer { api.stop() }
        _ = try await api.object("/v1/types")
        let listed = try CommandRun(["tokens", "--json"], store: store)
        let tokens = try #require(listed.object?["tokens"] as? [[String: Any]])
        #expect(tokens.count == 1)
        #expect(tokens[0]["id"] as? String == first.id && tokens[0]["name"] as? String == "a test")
        #expect(tokens[0]["types"] is NSNull && tokens[0]["aggregatedOnly"] as? Bool == false)
        #expect((tokens[0]["since"] as? String)?.hasPrefix("2024-01-02T00:00:00") == true)
        #expect(tokens[0]["lastUsed"] is String)
        #expect(!listed.output.contains(first.token.suffix(64)))
        #expect(serving.command.interrupt() == 0)
        let second = ServedAPI(
            try Serving(["serve"], store: store), store, token: first.token)
        defer { second.stop() }
        _ = try await second.object("/v1/types")
        #expect(try CommandRun(["tokens", "remove", first.id], store: store).status == 0)
        try error(try await second.get("/v1/types"), 401, "invalid-token")
        let again = try CommandRun(["tokens", "remove", first.id], store: store)
        #expect(again.status == 1 && again.errors.contains("There is no token"))
        #expect(try CommandRun(["tokens"], store: store).output.hasPrefix("No tokens yet."))
        // Neither file has the token itself.
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            let data = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + file))
            #expect(data.range(of: Data(first.token.suffix(64).utf8)) == nil, "\(file)")
        }
    }

    @Test("a token is printed only to a terminal or as JSON, and its options are checked")
    func addOptions() throws {
        let store = try AnnasStore.shared.get().path
        let piped = try CommandRun(["tokens", "add", "x"], store: store)
        #expect(piped.status == 64 && piped.output.isEmpty && piped.errors.contains("--json"))
        for options in [
            ["--types", "stepps"], ["--types", ","], ["--since", "2024-02-30"],
        ] {
            let run = try CommandRun(["tokens", "add", "x", "--json"] + options, store: store)
            #expect(run.status == 64 && run.output.isEmpty, "\(options)")
        }
        for name in ["", "\u{1B}[2J", String(repeating: "x", count: 101)] {
            let run = try CommandRun(["tokens", "add", name, "--json"], store: store)
            #expect(run.status == 64 && run.output.isEmpty)
        }
    }

    @Test("a long poll answers when another process has changed the store")
    func longPoll() async throws {
        let folder = try TemporaryFolder()
        let store = folder.path + "/health.sqlite"
        #expect(try CommandRun(["import", AnnasStore.export], store: store).status == 0)
        let api = try ServedAPI(store)
        defer { api.stop() }
        let changes = try await api.object("/v1/changes?limit=10000")
        var cursor = try #require(changes["cursor"] as? String)
        let (target, port) = ("/v1/changes?wait=60&after=" + cursor, api.serving.port)
        let token = api.token
        async let waiting = ServedAPI.get(target, port: port, token: token)
        try await Task.sleep(for: .milliseconds(500))
        let log = try CommandRun(["weight", "log", "82.4kg"], store: store)
        #expect(log.status == 0, "\(log.errors)")
        let answer = try await waiting
        let page = try #require(
            JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any])
        let samples = try #require(page["samples"] as? [[String: Any]])
        #expect(samples.count == 1 && samples[0]["value"] as? Double == 82.4)
        cursor = try #require(page["cursor"] as? String)
        let uuid = try #require(samples[0]["uuid"] as? String)
        let undo = try CommandRun(["weight", "remove", "1"], store: store)
        #expect(undo.status == 0, "\(undo.errors)")
        let deleted = try await api.object("/v1/changes?wait=60&after=" + cursor)
        let deletions = try #require(deleted["deletions"] as? [[String: Any]])
        #expect(deletions.compactMap { $0["uuid"] as? String } == [uuid])
        #expect(deletions.first?["type"] as? String == "HKQuantityTypeIdentifierBodyMass")
        // Nothing more happens, so the answer is empty after a second.
        cursor = try #require(deleted["cursor"] as? String)
        let start = ContinuousClock.now
        let empty = try await api.object("/v1/changes?wait=1&after=" + cursor)
        #expect(empty["cursor"] as? String == cursor && empty["more"] as? Bool == false)
        #expect(ContinuousClock.now - start >= .seconds(1))
    }

    /// Imports Anna's export into a folder, and serves the store.
    private func annasAPI(in folder: TemporaryFolder) throws -> ServedAPI {
        let store = folder.path + "/health.sqlite"
        #expect(try CommandRun(["import", AnnasStore.export], store: store).status == 0)
        return try ServedAPI(store)
    }

    @Test("a token that is removed while its long poll waits gets no answer")
    func removedToken() async throws {
        let folder = try TemporaryFolder()
        let api = try annasAPI(in: folder)
        defer { api.stop() }
        let changes = try await api.object("/v1/changes?limit=10000")
        let cursor = try #require(changes["cursor"] as? String)
        let target = "/v1/changes?wait=3&after=" + cursor
        let (id, token) = try ServedAPI.addToken(api.store)
        let port = api.serving.port
        async let waiting = ServedAPI.get(target, port: port, token: token)
        try await Task.sleep(for: .milliseconds(500))
        #expect(try CommandRun(["tokens", "remove", id], store: api.store).status == 0)
        let answer = try await waiting
        #expect(answer.status == 401 && !answer.body.contains("samples"))
    }

    @Test("a token's error about a source names no other source")
    func unknownSource() async throws {
        let folder = try TemporaryFolder()
        let api = try annasAPI(in: folder)
        defer { api.stop() }
        let answer = try await ServedAPI.get(
            "/v1/stats/stepCount?source=zzz", port: api.serving.port, token: api.token)
        #expect(answer.status == 400 && !answer.body.contains("“"))
    }

    @Test("another store's cursor is gone")
    func foreignCursor() async throws {
        let folder = try TemporaryFolder()
        let api = try annasAPI(in: folder)
        defer { api.stop() }
        let other = try ServedAPI(try APIStore.shared.get().path)
        defer { other.stop() }
        let changes = try await other.object("/v1/changes?limit=1")
        let cursor = try #require(changes["cursor"] as? String)
        try error(try await api.get("/v1/changes?after=" + cursor), 410, "cursor")
        let page = try await other.object("/v1/samples/stepCount?limit=1")
        let next = try #require(page["next"] as? String)
        try error(try await api.get("/v1/samples/stepCount?cursor=" + next), 410, "cursor")
        // Nor does it belong to another type.
        try error(try await other.get("/v1/samples/heartRate?cursor=" + next), 410, "cursor")
    }

    @Test("invalid requests are problems with a reason")
    func invalid() async throws {
        let api = try ServedAPI(try AnnasStore.shared.get().path)
        defer { api.stop() }
        for (target, status, kind) in [
            ("stats/stepps", 404, "unknown-type"), ("stats", 404, "unknown-address"),
            ("stats/stepCount/x", 404, "unknown-address"), ("none", 404, "unknown-address"),
            ("stats/stepCount?by=minute", 400, "invalid-request"),
            ("stats/stepCount?unit=kg", 400, "invalid-request"),
            ("stats/stepCount?source=Nobody", 400, "invalid-request"),
            ("stats/stepCount?from=2024-02-30", 400, "invalid-request"),
            ("stats/stepCount?from=2024-02-02&to=2024-02-01", 400, "invalid-request"),
            ("stats/stepCount?from=2024-02-01&from=2024-02-02", 400, "invalid-request"),
            ("stats/stepCount?By=day", 400, "invalid-request"),
            ("stats/stepCount?time-zone=Mars", 400, "invalid-request"),
            ("stats/stepCount?from=0001-01-03&to=9000-01-01&by=hour", 400, "invalid-request"),
            ("stats/workout", 400, "invalid-request"),
            ("explain/stepCount", 400, "invalid-request"),
            ("explain/heartRate?day=2024-01-01", 400, "invalid-request"),
            ("samples/stepCount?limit=10001", 400, "invalid-request"),
            ("samples/stepCount?limit=0", 400, "invalid-request"),
            ("samples/stepCount?cursor=1.2.3", 400, "invalid-request"),
            ("changes?wait=61", 400, "invalid-request"),
            ("changes?wait=-1", 400, "invalid-request"),
            ("summary?day=1", 400, "invalid-request"),
            ("summary?period=decade", 400, "invalid-request"),
        ] {
            let answer = try await api.get("/v1/" + target)
            try error(answer, status, kind)
            #expect(!answer.body.contains("--"), "\(target): \(answer.body)")
        }
    }
}
