import ArgumentParser
import Foundation
import HealthDashboard
import HealthEngine
import HealthStorage
import HealthSync
import OpenHealthKit

/// `openhealth watch [TYPE…]`
struct Watch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Prints a line for each change to the store as it happens.",
        discussion: """
            Runs until Ctrl-C. The next run continues at the saved position and first prints the \
            changes since then. The first run prints only new changes or, with --from-start, all \
            samples, newest first. Each change is printed at least once. After a system failure, \
            the last changes may be printed again.
            """)

    @Argument(
        help: ArgumentHelp(
            "The types to watch, as stepCount or a full identifier. Default: all types.",
            valueName: "type"))
    var types: [String] = []

    @Option(
        help: ArgumentHelp(
            "The name of the saved position. Each name has its own.", valueName: "name"))
    var name = "watch"

    @Flag(help: "Discard the saved position, and begin with all samples.")
    var fromStart = false

    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if name.isEmpty { throw ValidationError("--name needs a name.") }
    }

    @MainActor func run() async throws {
        try await session().follow()
    }

    private func session() throws -> WatchSession {
        let store = try global.open()
        let watched =
            try types.isEmpty
            ? WatchedType.all(in: store)
            : types.map { WatchedType(try global.type($0, in: store)) }
        let lines = WatchLines(
            types: watched, calendar: try global.calendar(of: store),
            format: global.json ? .json : .text)
        // The watcher opens the file itself: closing one of two connections to a file in a process
        // would release SQLite's locks.
        try store.close()
        return WatchSession(
            store: try global.path, types: watched, lines: lines, name: name,
            startPosition: fromStart ? .firstSample : .savedPosition)
    }
}

/// Watches a store's file and prints changes until the user ends the command.
struct WatchSession: Sendable {
    enum StartPosition: Sendable { case firstSample, savedPosition }

    private enum Progress {
        case caughtUp
        case ended((any Error)?)
    }

    let store: String
    let types: [WatchedType]
    let lines: WatchLines
    let name: String
    let startPosition: StartPosition

    func follow() async throws {
        let ending = TerminationSignals()
        let watcher = try await watcher()
        let failure = await withTaskGroup { group in
            group.addTask {
                await ending.wait()
                return Progress.ended(nil)
            }
            group.addTask { .ended(await lines.failure()) }
            group.addTask {
                do { try await printHeader(watcher) } catch { return .ended(error) }
                return .caughtUp
            }
            var failure: (any Error)?
            for await case .ended(let error) in group {
                failure = error
                break
            }
            group.cancelAll()
            return failure
        }
        await watcher.stop()
        if let failure, !(failure is CancellationError) { throw UserFacingSyncError(failure) }
    }

    /// Prints a message when the earlier changes have been printed and observation has started.
    private func printHeader(_ watcher: Watcher) async throws {
        await watcher.readInOrder()
        try Task.checkCancellation()
        // Observation starts before the last read, so that no change between the two is missed.
        await watcher.start()
        if let failure = try await watcher.sync().failures.values.first { throw failure }
        Message.write(startMessage)
    }

    private func watcher() async throws -> Watcher {
        do {
            // The user of the command owns the store, so no permission is required.
            let store = try HKHealthStore(
                path: store, configuration: HealthStoreConfiguration(authorization: .assumed))
            var configuration = Watcher.Configuration()
            configuration.backgroundDelivery = .off
            let watcher = Watcher(
                store: store, types: types.map { TrackedType($0.sampleType) },
                positions: try positions(),
                firstRun: startPosition == .firstSample ? .everything : .fromNow,
                configuration: configuration)
            try await watcher.deliver(to: lines, named: name)
            if startPosition == .firstSample { try await watcher.resetAll() }
            return watcher
        } catch {
            throw UserFacingSyncError(error)
        }
    }

    /// Opens the file with the saved positions, which only its owner can read. A damaged file is
    /// renamed and replaced, with a message.
    private func positions() throws -> PositionFile {
        let path = SidecarFiles.path(store, "watch.sqlite")
        SidecarFiles.makePrivate(path)
        let file = try PositionFile(at: URL(fileURLWithPath: path))
        if let quarantined = file.quarantinedFile {
            let start = startPosition == .firstSample ? "from the first sample" : "with new changes"
            Message.write(
                "The file with the saved position is damaged and was renamed to "
                    + "\(quarantined.url.path.printable). Watching starts \(start).")
        }
        return file
    }

    private var startMessage: String {
        let what =
            types.count > 3
            ? counted(types.count, "type", "types") : types.map(\.name).joined(separator: ", ")
        return "Watching \(what.printable). Press Ctrl-C to stop."
    }
}

/// Waits for Ctrl-C, SIGTERM or SIGHUP. A second signal of the same kind ends the process at once.
/// Unchecked, because the signal sources are created once and never accessed again.
final class TerminationSignals: @unchecked Sendable {
    private let signals: AsyncStream<Void>
    private let sources: [any DispatchSourceSignal]

    init() {
        let (signals, continuation) = AsyncStream.makeStream(of: Void.self)
        self.signals = signals
        sources = [SIGINT, SIGTERM, SIGHUP].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                signal(number, SIG_DFL)
                continuation.yield()
            }
            source.resume()
            return source
        }
    }

    /// Returns when a signal arrives or the task is cancelled.
    func wait() async {
        for await _ in signals { break }
    }
}

/// The files that openhealth keeps beside a store.
enum SidecarFiles {
    /// Returns the store's path with another suffix: "/x/health.watch.sqlite" for
    /// "/x/health.sqlite". Only the ending ".sqlite" is replaced; "/x/health.db" gives
    /// "/x/health.db.watch.sqlite".
    static func path(_ store: String, _ suffix: String) -> String {
        let ending = ".sqlite"
        return (store.hasSuffix(ending) ? String(store.dropLast(ending.count)) : store)
            + "." + suffix
    }

    /// Deletes the cached pages, which may show data that was just deleted.
    static func removePageCache(of store: String) {
        try? FileManager.default.removeItem(atPath: path(store, "pages.cache"))
    }

    /// Creates an empty file that only its owner can read, unless it exists.
    static func makePrivate(_ path: String) {
        guard !FileManager.default.fileExists(atPath: path) else { return }
        let file = open(path, O_CREAT | O_EXCL | O_WRONLY, 0o600)
        if file >= 0 { close(file) }
    }
}
