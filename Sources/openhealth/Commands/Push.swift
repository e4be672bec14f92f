import ArgumentParser
import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthStorage
import HealthSync
import OpenHealthKit

/// `openhealth push URL`
struct PushStore: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "push",
        abstract: "Sends a store to another openhealth, which receives it with serve --receive.",
        discussion: """
            Sends all samples, newest first, and with the next run only what has changed since, \
            with deletions. An interrupted run continues. The token is that of openhealth devices \
            add on the other machine. Nothing is sent to any other address. Exits with 2 if the \
            other machine has rejected or not understood a record.
            """)

    @Argument(
        help: ArgumentHelp(
            "The address: https://…, or http:// on this machine.", valueName: "url"))
    var url: String

    @Option(
        help: ArgumentHelp(
            "The file with the token. Default: the token in $OPENHEALTH_TOKEN.",
            valueName: "path"))
    var tokenFile: String?

    @OptionGroup var global: GlobalOptions

    @MainActor func run() async throws {
        let target = try target()
        let store = try global.open()
        let types = try WatchedType.all(in: store)
        let calendar = try global.calendar(of: store)
        let zone = try global.explicitTimeZone ?? store.homeZone?.timeZone
        // The watcher opens the file itself: closing one of two connections to a file in a process
        // would release SQLite's locks.
        try store.close()
        let session = PushSession(
            store: try global.path, types: types, calendar: calendar, timeZone: zone,
            target: target)
        let state = try await session.run()
        try PushReport(state).print(global)
        if !state.isAllTaken { throw ExitCode(2) }
    }

    private func target() throws -> PushTarget {
        guard let address = URL(string: url), address.host != nil else {
            throw UsageError("“\(url.printable)” is no address. It begins with https://.")
        }
        do throws(PushError) {
            return try PushTarget(url: address, token: token())
        } catch {
            switch error.code {
            case .insecureURL:
                throw UsageError("Health data is only sent encrypted: use an https:// address.")
            default: throw UsageError(Self.missingToken)
            }
        }
    }

    private static let missingToken =
        "There is no valid token. Use --token-file PATH, or the environment variable "
        + "OPENHEALTH_TOKEN. The other machine's openhealth devices add prints one."

    /// Returns the token; empty if there is none.
    private func token() -> String {
        var text = ProcessInfo.processInfo.environment["OPENHEALTH_TOKEN"] ?? ""
        if let tokenFile { text = (try? String(contentsOfFile: tokenFile, encoding: .utf8)) ?? "" }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

/// Sends a store's file to a server until nothing is left to send.
private struct PushSession {
    /// How often in a row a page may fail before the command gives up.
    private static let maximumFailures = 8
    /// A server that asks for more, such as one whose quota is used up, needs a person.
    private static let longestWait = Duration.seconds(900)

    let store: String
    let types: [WatchedType]
    let calendar: CalendarBuckets
    /// The person's time zone; nil if the store has none.
    let timeZone: TimeZone?
    let target: PushTarget

    func run() async throws -> PushState {
        do {
            let watcher = try await watcher()
            let push = try await watcher.push(to: target, timeZone: timeZone)
            let progress = Task { await Self.showProgress(of: push) }
            defer { progress.cancel() }
            try await sync(watcher)
            try await push.sendActivitySummaries(calendar: calendar.calendar)
            return push.state
        } catch let error as PushError {
            throw CommandError(error.sentence)
        } catch {
            throw UserFacingSyncError(error)
        }
    }

    private func watcher() async throws -> Watcher {
        // The user of the command owns the store, so no permission is required.
        let health = try HKHealthStore(
            path: store, configuration: HealthStoreConfiguration(authorization: .assumed))
        var configuration = Watcher.Configuration()
        configuration.backgroundDelivery = .off
        configuration.retryDelays = []
        let path = SidecarFiles.path(store, "push.sqlite")
        SidecarFiles.makePrivate(path)
        return Watcher(
            store: health, types: types.map { TrackedType($0.sampleType) },
            positions: try PositionFile(at: URL(fileURLWithPath: path)),
            configuration: configuration)
    }

    /// Syncs until nothing fails. Waits as long as the server asks for.
    private func sync(_ watcher: Watcher) async throws {
        var failures = 0
        while true {
            let errors = try await watcher.sync().failures.values
            guard let error = errors.first else { return }
            failures += 1
            if let final = errors.first(where: { ($0 as? PushError)?.needsPerson == true }) {
                throw final
            }
            let delays = errors.compactMap { ($0 as? PushError)?.retryDelay }
            guard let delay = delays.max(), failures < Self.maximumFailures else { throw error }
            let minutes = Int(clamping: (delay / .seconds(60)).rounded(.up))
            guard delay <= Self.longestWait else {
                throw CommandError(
                    "\(PushError.reason(errors)) It asks to wait \(minutes) minutes. What was sent is "
                        + "stored; run the command again then.")
            }
            let seconds = Int(clamping: (delay / .seconds(1)).rounded(.up))
            let words = counted(seconds, "second", "seconds")
            Message.write("\(PushError.reason(errors)) Trying again in \(words).")
            try await Task.sleep(for: delay)
        }
    }

    private static func showProgress(of push: Push) async {
        var shown = 0
        for await state in push.states where state.records.received >= shown + 10_000 {
            shown = state.records.received
            Message.write("\(counted(shown, "record", "records")) sent.")
        }
    }
}

/// The result of a push, as text or JSON.
private struct PushReport {
    private let state: PushState

    init(_ state: PushState) { self.state = state }

    func print(_ global: GlobalOptions) throws {
        if global.json { return try Output.print(json) }
        let records = state.records
        var text = "\(counted(records.received, "record", "records")) sent: "
        text += "\(records.accepted) new, \(records.duplicate) already there, "
        text += "\(records.changed) changed, \(records.deleted) deleted"
        if records.unknown > 0 { text += ", \(records.unknown) not understood" }
        if records.rejected > 0 { text += ", \(records.rejected) rejected" }
        text += ".\n"
        if let receipt = state.lastReceipt { text += "Last receipt: \(receipt.printable)\n" }
        for (type, count) in state.incomplete.sorted(by: { $0.key < $1.key }) {
            let samples = counted(count, "sample", "samples")
            text += "\(type.printable): \(samples) sent without details.\n"
        }
        for (type, count) in state.unsent.sorted(by: { $0.key < $1.key }) {
            text += "\(type.printable): \(counted(count, "sample", "samples")) not sent.\n"
        }
        try Output.print(text)
    }

    private var json: JSONText {
        let records = state.records
        return .object([
            "received": .integer(records.received), "accepted": .integer(records.accepted),
            "duplicate": .integer(records.duplicate), "changed": .integer(records.changed),
            "deleted": .integer(records.deleted), "unknown": .integer(records.unknown),
            "rejected": .integer(records.rejected), "pages": .integer(state.pages),
            "receipt": .text(state.lastReceipt), "incomplete": .counts(state.incomplete),
            "unsent": .counts(state.unsent),
        ])
    }
}

extension PushState {
    /// Whether the server has taken everything that it was sent.
    fileprivate var isAllTaken: Bool {
        records.rejected == 0 && records.unknown == 0 && unsent.isEmpty
    }
}

extension PushError {
    /// Whether trying again changes nothing until a person does something.
    fileprivate var needsPerson: Bool { code == .untrusted || code == .missingProgram }

    /// Why a push waits.
    fileprivate static func reason(_ errors: some Sequence<any Error>) -> String {
        for case .unavailable(let status)? in errors.map({ ($0 as? PushError)?.code }) {
            return "The server can't receive now (status \(status))."
        }
        return "The server can't be reached."
    }

    /// What happened and what to do.
    fileprivate var sentence: String {
        switch code {
        case .insecureURL: "Health data is only sent encrypted: use an https:// address."
        case .invalidToken, .unauthorized:
            "The server doesn't accept the token. The command “devices add” on that computer prints "
                + "a new one."
        case .untrusted:
            "The server's certificate isn't trusted. Use one of a known authority, or add yours to "
                + "this computer's trusted certificates."
        case .missingProgram: "The program curl isn't installed. On Debian: apt install curl."
        case .offline:
            "The server can't be reached. Check the address; the next run continues here."
        case .unavailable(let status):
            "The server can't receive now (status \(status)). The next run continues here."
        case .refused(let status):
            "The server refuses the data (status \(status)). Does it run serve --receive?"
        case .unexpectedAnswer:
            "The answer isn't that of openhealth serve --receive. Check the address."
        }
    }
}
