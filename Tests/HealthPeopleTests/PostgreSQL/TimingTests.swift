import HealthPeople
import HealthTesting
import Testing

/// Measures the cost of transactions, and prints it.
@Suite(.inTorture, .needsPostgreSQL) struct TimingTests {
    @Test("The cost of a transaction is measured") func cost() async throws {
        let table = try RunningPostgreSQL.table("id int8, name text")
        try await RunningPostgreSQL.withDatabase(nil, { $0.threads = 1 }) { database in
            try await measure("empty, read-only") {
                try await database.transaction(.readOnly) { _ in }
            }
            try await measure("SELECT 1") {
                try await database.transaction(.readOnly) { _ = try $0.execute("SELECT 1") }
            }
            try await measure("INSERT") {
                try await database.transaction(.readWrite) {
                    _ = try $0.execute(
                        "INSERT INTO \(table) VALUES ($1, $2)", [.integer(1), .text("a")])
                }
            }
        }
    }

    private func measure(_ name: String, _ body: () async throws -> Void) async throws {
        for _ in 0..<100 { try await body() }
        var times: [Double] = []
        for _ in 0..<1000 {
            let start = ContinuousClock.now
            try await body()
            times.append(start.duration(to: .now) / .microseconds(1))
        }
        times.sort()
        print("timing", name, "median", Int(times[500]), "µs, p95", Int(times[950]), "µs")
    }
}
