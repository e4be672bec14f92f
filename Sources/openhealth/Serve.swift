import ArgumentParser
import Foundation
import HealthServer
import HealthStorage

/// `openhealth serve`
struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Shows the store as pages in a browser.",
        discussion: """
            Prints the address on the first line; it goes on until Ctrl-C. The address holds a key \
            that lets one browser in. Pages are for this computer alone, unless --listen says \
            otherwise.
            """)

    @OptionGroup var serving: ServingOptions

    @Flag(help: "Open the pages in the browser.")
    var open = false

    @OptionGroup var global: GlobalOptions

    func run() throws {
        try PageServing(
            store: try global.path, options: serving, global: global,
            browser: open ? .opened : .left
        ).run()
    }
}

/// Where and for whom pages are served.
struct ServingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Default: any that is free.", valueName: "number"))
    var port = 0

    @Option(
        help: ArgumentHelp(
            "An address that others can reach. What goes over it can be read on the way: put a proxy "
                + "with TLS before it.",
            valueName: "address"))
    var listen: String?

    @Option(
        help: ArgumentHelp(
            "With --listen: a host name that the pages are asked for by. May be repeated.",
            valueName: "name"))
    var host: [String] = []

    /// Not for people: a test with many processes beside it takes longer than a browser does.
    @Option(
        help: ArgumentHelp(
            "How long the browser may take to come with the token that it was handed.",
            valueName: "seconds", visibility: .private))
    var handoverSeconds = 120

    @OptionGroup var goal: StepGoal

    func validate() throws {
        guard (1...86_400).contains(handoverSeconds) else {
            throw ValidationError("--handover-seconds needs a number from 1 to 86400.")
        }
        guard (0...65_535).contains(port) else {
            throw ValidationError("--port needs a number from 1 to 65535, or 0 for a free one.")
        }
        if listen?.isEmpty == true { throw ValidationError("--listen needs an address.") }
        if listen == nil, !host.isEmpty { throw ValidationError("--host needs --listen.") }
    }

    /// What leads a command to the store that is served: the options of this one, or where `open` was
    /// given a store its path.
    func commandOptions(_ global: GlobalOptions, _ path: String) -> String {
        (try? global.path) == path
            ? StoreOptions.words(global) : " --store " + ShellWord.quoted(path)
    }

    var listening: HealthServer.Listening {
        listen.map { .address($0, names: host) } ?? .loopback
    }
}

/// Pages of a store, served until a person ends it.
struct PageServing: Sendable {
    enum Browser: Sendable { case opened, left }

    private enum Event: Sendable {
        case ended
        case finished(Result<Void, ServerError>)
    }

    /// How long answers that are under way may take once a person has ended it.
    private static let patience = Duration.milliseconds(500)

    let server: HealthServer
    let browser: Browser
    /// The address that `--listen` names.
    private let listen: String?
    private let handover: BrowserHandover
    /// How long the browser may take to come with the token that it was handed.
    private let handoverLifetime: Duration

    /// - Throws: `StoreError` if there is no store at the path that can be read.
    init(
        store path: String, options: ServingOptions, global: GlobalOptions, browser: Browser
    ) throws {
        let zone = try global.givenZone
        let goal = try options.goal.steps
        if options.listen != nil {
            Message.write(
                "Served as plain HTTP beyond this computer: put a proxy with TLS before it.")
        }
        server = try RunningImport.telling(of: path) {
            try HealthServer(
                storeAt: path, timeZone: zone, listening: options.listening, port: options.port,
                cache: URL(fileURLWithPath: BesideStore.path(path, "pages.cache")),
                weightNotes: URL(fileURLWithPath: BesideStore.path(path, WeightDiary.file)),
                stepGoal: goal, commandOptions: options.commandOptions(global, path))
        }
        self.browser = browser
        listen = options.listen
        handoverLifetime = .seconds(options.handoverSeconds)
        handover = BrowserHandover(
            folders: HandoverFolder.candidates(
                ProcessInfo.processInfo.environment, besideStore: path))
    }

    func run() throws {
        try awaited { try await serve() }
    }

    private func serve() async throws {
        let (events, continuation) = AsyncStream<Event>.makeStream()
        let ending = WatchEnding()
        let waiting = Task {
            await ending.wait()
            continuation.yield(.ended)
        }
        Task {
            do throws(ServerError) {
                try await server.run(tell)
                continuation.yield(.finished(.success(())))
            } catch {
                continuation.yield(.finished(.failure(error)))
            }
        }
        defer {
            waiting.cancel()
            handover.remove()
        }
        for await event in events {
            switch event {
            case .finished(let result): return try result.get()
            case .ended:
                server.end()
                Task {
                    try await Task.sleep(for: PageServing.patience)
                    continuation.yield(.finished(.success(())))
                }
            }
        }
    }

    private func tell(_ notice: HealthServer.Notice) {
        switch notice {
        case .listening(let url):
            try? Output.print(url + "\n")
            let others = NetworkAddresses.urls(of: url, listeningOn: listen ?? "")
            if !others.isEmpty {
                Message.write("From other devices: " + others.joined(separator: "\n  or "))
            }
            if browser == .opened { openBrowser(orSay: url) }
        case .opened(let nextURL): Message.write("For another browser: \(nextURL)")
        case .failed(let text): Message.write("openhealth: \(text.printable)")
        }
    }
}

extension PageServing {
    /// Starts the browser with a file that leads it to the pages: arguments of a process are there
    /// for every account to read, and would give the token away.
    private func openBrowser(orSay url: String) {
        handover.removeLeftovers()
        let address = server.handover(lasting: handoverLifetime) { [handover] end in
            handover.remove()
            if end == .expired { WebBrowser.say(url) }
        }
        guard let file = handover.write(HealthServer.page(leadingTo: address)) else {
            return WebBrowser.say(url)
        }
        WebBrowser.open(file, orSay: url)
    }
}

extension ServerError: PlainError {}

/// Whether an import holds the lock beside a store.
enum RunningImport {
    /// Opens a store; where there is none yet since the first import makes it, says so.
    static func telling<Opened>(of path: String, _ open: () throws -> Opened) throws -> Opened {
        do {
            return try open()
        } catch let error as StoreError
            where error.code == .missing && SampleStore.isBeingImported(into: path)
        {
            throw NotDone(
                "The store at \(path.printable) is being imported into for the first time; "
                    + "try again when that is done.")
        }
    }
}
