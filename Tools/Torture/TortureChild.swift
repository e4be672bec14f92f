import Foundation
import HealthSync
import OpenHealthKit
import Synchronization

/// The work of a child process that ``TortureKills`` kills. It reads changes, saves weights and
/// attaches notes. It logs to a file which weights it requests, and which weights and notes were
/// acknowledged.
struct TortureChild {
    let folder: URL
    let seed: UInt64

    /// The environment variable with the step after which the process kills itself, and the
    /// occurrence of the step: "pageRead:2".
    ///
    /// ``TortureKills`` sets it; only this type reads it.
    static let stepVariable = "OPENHEALTH_TORTURE_STEP"

    /// The file in which the child logs requests and acknowledgements for its parent.
    static func requestLog(in folder: URL) -> URL { folder.appending(path: "diary.txt") }
    /// The file in which the child logs the changes that its ``TortureRecorder`` receives.
    static func recording(in folder: URL) -> URL { folder.appending(path: "recording.txt") }

    /// Works until the process is killed, or has requested to save 40 weights.
    func run() async throws {
        let store = try HKHealthStore(
            path: folder.path + "/health0.sqlite", identity: ScheduledWriter.app.identity)
        let requestLog = try AppendedFile(Self.requestLog(in: folder))
        let recording = try AppendedFile(Self.recording(in: folder))
        let environment = ClientEnvironment(
            store: store, folder: folder, types: TortureKills.settings.types,
            pageSize: TortureKills.settings.pageSize, now: { SyncTorture.beginning },
            probe: Self.probe, ledger: TransactionalRecorder(),
            recorder: TortureRecorder { recording.append($0.line) })
        let client = try await MirrorClient(environment)
        requestLog.append("ready")
        // Errors are ignored. The parent checks the files after the kills.
        try? await client.recover()
        for turn in 0..<40 {
            try? await client.sync()
            await Self.write(10_000 + Int(seed) * 100 + turn, client, requestLog)
            if turn % 7 == 6 { try? await client.reconcile() }
        }
    }

    private static func write(_ number: Int, _ client: MirrorClient, _ requestLog: AppendedFile)
        async
    {
        requestLog.append("log \(number)")
        let weight = ClientWeight(
            date: ScheduledWorld.start(of: number, at: SyncTorture.beginning),
            kilograms: ScheduledWorld.kilograms(ofWeight: number, version: 1))
        guard (try? await client.log(weight)) == .acknowledged else { return }
        requestLog.append("done \(number)")
        guard number % 3 == 0,
            let entry = try? await client.entries().first(where: { $0.number == number }),
            (try? await client.attach("note \(number)", to: entry.id)) == .acknowledged
        else { return }
        requestLog.append("note \(number) \(entry.id.uuidString)")
    }

    private static var probe: SyncProbe {
        let killPoint = ProcessInfo.processInfo.environment[stepVariable] ?? ""
        let parts = killPoint.split(separator: ":")
        guard parts.count == 2, let step = SyncStep(rawValue: String(parts[0])),
            let occurrence = Int(parts[1])
        else { return .none }
        let reached = Mutex(0)
        return SyncProbe { now in
            guard now == step else { return }
            let count = reached.withLock { count in
                count += 1
                return count
            }
            if count == occurrence { kill(getpid(), SIGKILL) }
        }
    }
}

/// A file to which lines are appended. A line that was written persists if the process is killed.
final class AppendedFile: Sendable {
    private let handle: Mutex<FileHandle>

    init(_ url: URL) throws {
        if !FileManager.default.fileExists(atPath: url.path) {
            _ = FileManager.default.createFile(atPath: url.path, contents: nil)
        }
        guard let handle = FileHandle(forWritingAtPath: url.path) else {
            throw CommandError("\(url.path) can't be written.")
        }
        try handle.seekToEnd()
        self.handle = Mutex(handle)
    }

    /// Appends a line in a single write; errors are ignored.
    func append(_ line: String) {
        handle.withLock { try? $0.write(contentsOf: Data((line + "\n").utf8)) }
    }

    static func lines(of url: URL) -> [Substring] {
        let data = FileManager.default.contents(atPath: url.path) ?? Data()
        return String(decoding: data, as: UTF8.self).split(separator: "\n")
    }
}
