#if os(Linux)
    import Foundation
    import FoundationGaps
    import HealthEngine
    import HealthStorage
    import HealthTesting
    import Testing

    @testable import OpenHealthKit

    /// Reads and writes 200 MB in a process of its own, whose peak memory is measured.
    @Suite(.serialized, .inTestAll, .enabled(if: AttachmentProcess.folder == nil))
    struct AttachmentMemoryTests {
        @Test("200 MB are attached and streamed with flat memory, and every byte is equal")
        func flatMemory() async throws {
            let folder = try TemporaryFolder()
            let bytes = 200 << 20
            let source = folder.path + "/source.bin"
            _ = try Python.run(
                """
                import random, sys
                random.seed(7)
                with open(sys.argv[1], 'wb') as file:
                    for _ in range(200): file.write(random.randbytes(1 << 20))
                """, [source])
            let small = try AttachmentProcess.run(in: folder, file: folder.write("small", [1]))
            let large = try AttachmentProcess.run(in: folder, file: source)
            let sums = try ProgramRun(
                "/usr/bin/env", ["sha256sum", source, folder.path + "/streamed.bin"])
            let found = sums.output.split(separator: "\n").map { $0.prefix(64) }
            #expect(found.count == 2 && found.first == found.last)
            #expect(try large.size == bytes)
            // The caches of SQLite and the buffers are some megabytes, whatever the length.
            #expect(large.peak - small.peak < 96 << 20, "\(small) \(large)")
            // The write-ahead log was written back while the file was copied.
            #expect(large.log < 32 << 20, "\(large)")
        }
    }

    /// A process of these tests that attaches a file, streams it to another file, and prints its
    /// peak memory.
    enum AttachmentProcess {
        struct Report: Codable {
            var peak: Int
            var size: Int
            /// The largest size of the write-ahead log.
            var log: Int
        }

        private static let key = "OPENHEALTH_ATTACHMENT_FOLDER"

        /// The folder in the process that attaches; nil in other processes.
        static var folder: String? { ProcessInfo.processInfo.environment[key] }

        static func run(in folder: TemporaryFolder, file: String) throws -> Report {
            let (program, arguments) = try ProgramRun.ofTests(only: "AttachingProcessTests")
            var environment = ProcessInfo.processInfo.environment
            environment[key] = folder.path
            environment["OPENHEALTH_ATTACHMENT_FILE"] = file
            let run = try ProgramRun(program, arguments, environment: environment)
            try #require(run.status == 0, "\(run.output)\n\(run.errors)")
            let report = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/report.json"))
            return try JSONDecoder().decode(Report.self, from: report)
        }
    }

    @Suite(.serialized, .enabled(if: AttachmentProcess.folder != nil))
    struct AttachingProcessTests {
        @Test("the other process attaches a file and streams it")
        func attach() async throws {
            let folder = try #require(AttachmentProcess.folder)
            let file = try #require(
                ProcessInfo.processInfo.environment["OPENHEALTH_ATTACHMENT_FILE"])
            let path = folder + "/health.sqlite"
            try? FileManager.default.removeItem(atPath: path)
            let store = try HKHealthStore(
                path: path, identity: AppIdentity("com.example.scanner"),
                configuration: HealthStoreConfiguration(authorization: .grant))
            let mass = HKQuantityType(.bodyMass)
            try await store.requestAuthorization(toShare: [mass], read: [mass])
            let sample = HKQuantitySample(
                type: mass, quantity: HKQuantity(unit: .gram(), doubleValue: 70_000),
                start: Date(), end: Date())
            try await store.save(sample)
            let attachments = HKAttachmentStore(healthStore: store)
            let log = Locked(0)
            let attachment = try await attachments.addAttachment(
                to: sample, name: "Scan", contentType: .data, url: URL(fileURLWithPath: file))
            let status = try? FileManager.default.attributesOfItem(atPath: path + "-wal")
            log { $0 = (status?[.size] as? Int) ?? 0 }
            let target = folder + "/streamed.bin"
            _ = FileManager.default.createFile(atPath: target, contents: nil)
            let output = try #require(FileHandle(forWritingAtPath: target))
            try await withCheckedThrowingContinuation {
                (continuation: CheckedContinuation<Void, any Error>) in
                _ = attachments.streamData(for: attachment) { data, error, done in
                    if let data { output.write(data) }
                    if let error { return continuation.resume(throwing: error) }
                    if done { continuation.resume() }
                }
            }
            try output.close()
            let report = AttachmentProcess.Report(
                peak: try Self.peakMemory(), size: attachment.size, log: log { $0 })
            try JSONEncoder().encode(report)
                .write(to: URL(fileURLWithPath: folder + "/report.json"))
        }

        private static func peakMemory() throws -> Int {
            let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
            let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
            return try #require(line.flatMap { Int($0.filter(\.isNumber)) }) * 1024
        }
    }
#endif
