import Foundation
import HealthTesting
import Testing

/// Stores that another program has changed: an answer or a typed error, never a crash, a hang or
/// unbounded memory.
///
/// Damaged stores are tested in child processes, a batch in each, so that a crash identifies its
/// seed.
@Suite(.serialized, .inTestAll) struct StoreFuzzTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let batch = environment["OPENHEALTH_STORE_FUZZ_BATCH"]
    private static let isLong = TestTier.isTorture
    private static let batchSize: UInt64 = 250

    @Test(
        "a store changed by another program gives a result or a typed error",
        .enabled(if: batch == nil))
    func stores() throws {
        let first = TestTier.seed(1)
        let count: UInt64 = Self.isLong ? 10_000 : 60
        print("stores \(first) to \(first &+ count &- 1)")
        var seed = first
        var failures = 0
        while seed < first + count, failures < 20 {
            let last = min(seed + Self.batchSize, first + count)
            let child = try Child(seed..<last)
            guard let failure = try child.failure() else {
                seed = last
                continue
            }
            failures += 1
            Issue.record("\(failure.text)")
            seed = max(seed, failure.seed) + 1
        }
    }

    @Test("the damaged stores of one child process", .enabled(if: batch != nil))
    func damagedStores() throws {
        let bounds = try #require(Self.batch).split(separator: "-").compactMap { UInt64($0) }
        try #require(bounds.count == 2)
        let progress = try #require(Self.environment["OPENHEALTH_STORE_FUZZ_PROGRESS"])
        limitMemory()
        let store = try DamagedStore()
        for seed in bounds[0]..<bounds[1] {
            _ = try store.run(seed: seed) { text in
                try? Data(text.utf8).write(to: URL(fileURLWithPath: progress))
            }
        }
        try Data("done".utf8).write(to: URL(fileURLWithPath: progress))
    }

    /// Limits memory, so that a store that uses too much ends only the child process.
    private func limitMemory() {
        var limit = rlimit(rlim_cur: 6 << 30, rlim_max: 6 << 30)
        #if canImport(Glibc)
            setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
        #endif
    }

    private struct Child {
        private let process = Process()
        private let folder: TemporaryFolder
        private let seeds: Range<UInt64>
        private var progress: String { folder.path + "/progress" }
        /// The timeout of a batch in seconds, generous even for a loaded machine.
        private static let deadline: TimeInterval = 900

        init(_ seeds: Range<UInt64>) throws {
            folder = try TemporaryFolder()
            self.seeds = seeds
            process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
            process.arguments = [
                "--testing-library", "swift-testing", "--filter", "StoreFuzzTests/damagedStores",
            ]
            process.environment = StoreFuzzTests.environment.merging([
                "OPENHEALTH_STORE_FUZZ_BATCH": "\(seeds.lowerBound)-\(seeds.upperBound)",
                "OPENHEALTH_STORE_FUZZ_PROGRESS": folder.path + "/progress",
            ]) { $1 }
            for name in ["/output", "/errors"] {
                _ = FileManager.default.createFile(atPath: folder.path + name, contents: nil)
            }
            process.standardOutput = FileHandle(forWritingAtPath: folder.path + "/output")
            process.standardError = FileHandle(forWritingAtPath: folder.path + "/errors")
            try process.run()
        }

        /// Returns the seed that ended the child process early; nil if there is none.
        func failure() throws -> (seed: UInt64, text: String)? {
            let ended = DispatchSemaphore(value: 0)
            let process = process
            DispatchQueue.global().async {
                process.waitUntilExit()
                ended.signal()
            }
            if ended.wait(timeout: .now() + Self.deadline) == .timedOut {
                kill(process.processIdentifier, SIGKILL)
                ended.wait()
            }
            let progressText = (try? String(contentsOfFile: progress, encoding: .utf8)) ?? ""
            if progressText == "done", process.terminationStatus == 0 { return nil }
            let seed = progressText.split(separator: ":").first.flatMap { UInt64($0) }
            let output = ["/output", "/errors"].map { name in
                (try? String(contentsOfFile: folder.path + name, encoding: .utf8)) ?? ""
            }.joined().suffix(3_000)
            return (
                seed ?? seeds.lowerBound,
                "status \(process.terminationStatus), \(progressText)\n\(output)"
            )
        }
    }
}
