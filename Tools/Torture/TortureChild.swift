import Foundation
import HealthSync
import OpenHealthKit
import Synchronization

/// The work of a process that will be killed: it reads, writes weights and attaches notes, and logs
/// to a file what it requests and what was acknowledged.
struct TortureChild {
    let folder: URL
    let seed: UInt64

    /// The environment variable with the step after which the process kills itself, and the
    /// occurrence of the step: "pageRead:2".
    ///
    /// ``TortureKills`` sets it; only this type reads it.
    static let stepVariable = "OPENHEALTH_TORTURE_STEP"

    /// The log of requests and acknowledgements that the child writes for its parent.
    static func diary(in folder: URL) -> URL { folder.appending(path: "diary.txt") }
    /// The log of the changes that the child's plain destination received.
    static func recording(in folder: URL) -> URL { folder.appending(path: "recording.txt") }

    /// Works until it is killed, or 40 weights are written.
    func run() async throws {
        let store = try HKHealthStore(
            path: folder.path + "/health0.sqlite", identity: ScheduledWriter.app.identity)
        let diary = try AppendedFile(Self.diary(in: folder))
        let recording = try AppendedFile(Self.recording(in: folder))
        let surroundings = ClientEnvironment(
            store: store, folder: folder, types: TortureKills.settings.types,
            pageSize: TortureKills.settings.pageSize, now: { SyncTorture.beginning },
            probe: Self.probe, ledger: TransactionalRecorder(),
            recorder: TortureRecorder { recording.append($0.line) })
        let client = try await MirrorClient(surroundings)
        diary.append("ready")
        // Faults come from the parent; errors are ignored here.
        try? await client.recover()
        for turn in 0..<40 {
            try? await client.sync()
            await Self.write(10_000 + Int(seed) * 100 + turn, client, diary)
            if turn % 7 == 6 { try? await client.reconcile() }
        }
    }

    private static func write(_ number: Int, _ client: MirrorClient, _ diary: AppendedFile) async {
        diary.append("log \(number)")
        let weight = ClientWeight(
            date: ScheduledWorld.start(of: number, at: SyncTorture.beginning),
            kilograms: ScheduledWorld.kilograms(ofWeight: number, version: 1))
        guard (try? await client.log(weight)) == .acknowledged else { return }
        diary.append("done \(number)")
        guard number % 3 == 0,
            let entry = try? await client.entries().first(where: { $0.number == number }),
            (try? await client.attach("note \(number)", to: entry.id)) == .acknowledged
        else { return }
        diary.append("note \(number) \(entry.id.uuidString)")
    }

    private static var probe: SyncProbe {
        let wish = ProcessInfo.processInfo.environment[stepVariable] ?? ""
        let parts = wish.split(separator: ":")
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

/// A file whose lines persist if the process is killed.
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
