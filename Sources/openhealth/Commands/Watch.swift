import ArgumentParser
import Foundation
import HealthDashboard
import HealthEngine
import HealthStorage
import HealthSync
import OpenHealthKit

/// `openhealth watch [TYPE…]`
struct Watch: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Writes a line for each change as it happens, whoever makes it.",
        discussion: """
            It goes on until Ctrl-C, and the next time where it left off: what was saved and deleted \
            meanwhile comes first. The first time it begins with what happens from then on, or with \
            --from-start with everything there is, newest first. Every change comes at least once; \
            if the machine fails, the last ones may come again.
            """)

    @Argument(
        help: ArgumentHelp(
            "stepCount or a full identifier; all types if left out.", valueName: "type"))
    var types: [String] = []

    @Option(
        help: ArgumentHelp("Whose place this is: each name has its own.", valueName: "name"))
    var name = "watch"

    @Flag(help: "Forget the place, and begin with everything there is.")
    var fromStart = false

    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if name.isEmpty { throw ValidationError("--name needs a name.") }
    }

    func run() throws {
        let watching = try watching()
        try awaited { try await watching.follow() }
    }

    private func watching() throws -> Watching {
        let store = try global.open()
        let watched =
            try types.isEmpty
            ? WatchedType.all(in: store)
            : types.map { WatchedType(try global.type($0, in: store)) }
        let lines = WatchLines(
            types: watched, calendar: try global.calendar(of: store),
            format: global.json ? .json : .text)
        // Opened once at a time: see `WeightDiary.Asked`.
        try store.close()
        return Watching(
            store: try global.path, types: watched, lines: lines, name: name,
            beginning: fromStart ? .start : .place)
    }
}

/// A watcher over a store's file that writes lines until a person ends it.
struct Watching: Sendable {
    enum Beginning: Sendable { case start, place }

    private enum Progress {
        case caughtUp
        case ended((any Error)?)
    }

    let store: String
    let types: [WatchedType]
    let lines: WatchLines
    let name: String
    let beginning: Beginning

    func follow() async throws {
        let ending = WatchEnding()
        let watcher = try await watcher()
        // Observed before the first look, so that nothing falls between the two.
        await watcher.start()
        let failure = await withTaskGroup { group in
            group.addTask {
                await ending.wait()
                return Progress.ended(nil)
            }
            group.addTask { .ended(await lines.failure()) }
            group.addTask {
                do { try await greet(watcher) } catch { return .ended(error) }
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
        if let failure, !(failure is CancellationError) { throw PlainSyncError(failure) }
    }

    /// Says that nothing is missed from here on, once what came before is told.
    private func greet(_ watcher: Watcher) async throws {
        if let failure = try await watcher.sync().failures.values.first { throw failure }
        Message.write(greeting)
    }

    private func watcher() async throws -> Watcher {
        do {
            // The person's own command reads what is there, as every other one does; no app asks.
            let store = try HKHealthStore(
                path: store, configuration: HealthStoreConfiguration(authorization: .assumed))
            var configuration = Watcher.Configuration()
            configuration.backgroundDelivery = .off
            let watcher = Watcher(
                store: store, types: types.map { TrackedType($0.sampleType) },
                positions: try positions(),
                firstRun: beginning == .start ? .everything : .fromNow,
                configuration: configuration)
            try await watcher.deliver(to: lines, named: name)
            if beginning == .start { try await watcher.resetAll() }
            return watcher
        } catch {
            throw PlainSyncError(error)
        }
    }

    /// A small file beside the store; only its owner reads it.
    private func positions() throws -> PositionFile {
        let path = BesideStore.path(store, "watch.sqlite")
        BesideStore.makePrivate(path)
        let file = try PositionFile(at: URL(fileURLWithPath: path))
        if let aside = file.setAside {
            let place = beginning == .start ? "the start" : "now on"
            Message.write(
                "The file that kept the place can't be used and was renamed: "
                    + "\(aside.url.path.printable). Watching begins from \(place).")
        }
        return file
    }

    private var greeting: String {
        let what =
            types.count > 3
            ? counted(types.count, "type", "types") : types.map(\.name).joined(separator: ", ")
        return "Watching \(what.printable); Ctrl-C ends it."
    }
}

/// Ctrl-C, and whatever else ends a process kindly; a second one ends it at once.
// The sources are made once and never touched again.
final class WatchEnding: @unchecked Sendable {
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

    /// Returns when a person ends the command, or the task is cancelled.
    func wait() async {
        for await _ in signals { break }
    }
}

/// Files that belong to a store lie beside it under its name.
enum BesideStore {
    /// "/x/health.watch.sqlite" of "/x/health.sqlite": no person's store can have the name.
    static func path(_ store: String, _ suffix: String) -> String {
        let ending = ".sqlite"
        return (store.hasSuffix(ending) ? String(store.dropLast(ending.count)) : store)
            + "." + suffix
    }

    /// Removes kept answers, since they may show what was just removed.
    static func forgetPages(of store: String) {
        try? FileManager.default.removeItem(atPath: path(store, "pages.cache"))
    }

    /// Makes an empty file for its owner alone, unless there is one.
    static func makePrivate(_ path: String) {
        guard !FileManager.default.fileExists(atPath: path) else { return }
        let file = open(path, O_CREAT | O_EXCL | O_WRONLY, 0o600)
        if file >= 0 { close(file) }
    }
}
