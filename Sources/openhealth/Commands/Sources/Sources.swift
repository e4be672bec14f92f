import ArgumentParser
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthStorage

/// `openhealth sources`
struct Sources: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sources",
        abstract: "Lists sources by priority, and changes their order.",
        discussion: """
            Where several sources recorded at the same time, the source with the highest priority \
            is counted. Rank 1 is the highest. NAME is a source's name or its bundle identifier.
            """,
        subcommands: [
            List.self, Order.self, Exclude.self, Include.self, Identify.self, Reset.self,
            Calibrate.self,
        ],
        defaultSubcommand: List.self)
}

extension Sources {
    /// `openhealth sources [TYPE]`
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Lists the sources of a type, or of all types (the default).")

        @Argument(help: ArgumentHelp("stepCount or a full identifier.", valueName: "type"))
        var type: String?

        @OptionGroup var global: GlobalOptions

        func run() throws {
            let store = try global.open()
            let type = try type.map { try global.type($0, in: store) }
            try SourceList(store, type, try global.calendar(of: store)).print(global)
        }
    }
}

/// The sources with samples, of one type or of all.
struct SourceList {
    var type: SampleType?
    var sources: [SourceSummary]
    /// The types from which each source is excluded, by the source's bundle identifier. With
    /// ``type``, only that type.
    var exclusions: [String: [(type: SampleType, reason: String)]]
    var calendar: CalendarBuckets

    init(
        _ store: SampleStore, _ type: SampleType?, _ calendar: CalendarBuckets,
        visibility: Visibility = .everything
    ) throws {
        self.type = type
        self.calendar = calendar
        sources = try store.sources(of: type, visibility: visibility)
        exclusions = [:]
        for (excludedType, excluded) in try store.exclusions(visibility: visibility) {
            if type == nil || type == excludedType {
                exclusions[excluded.source.bundleIdentifier, default: []].append(
                    (excludedType, excluded.reason))
            }
        }
    }

    func print(_ global: GlobalOptions) throws {
        try global.json ? Output.print(json) : Output.print(text(StoreOptions.text(global)))
    }

    var json: JSONText {
        .object([
            "type": .text(type?.identifier),
            "sources": .array(
                sources.map { source in
                    let exclusions = exclusions[source.bundleIdentifier] ?? []
                    return .object([
                        "name": .string(source.name),
                        "bundleIdentifier": .string(source.bundleIdentifier),
                        "rank": .integer(source.rank),
                        "excluded": .bool(source.isExcluded),
                        "samples": .integer(source.samples),
                        "first": .string(calendar.text(source.first)),
                        "last": .string(calendar.text(source.last)),
                        "reason": source.exclusionReason.map(JSONText.string),
                        "excludedFrom": type != nil || exclusions.isEmpty
                            ? nil : .array(exclusions.map { .string($0.type.identifier) }),
                    ])
                }),
        ])
    }

    /// - Parameter options: Options that select the store in suggested commands.
    func text(_ options: String) -> String {
        let what = type.map { " of " + TypeText.name($0) } ?? ""
        guard !sources.isEmpty else { return "No sources\(what).\n" }
        var table = Table([
            .number("rank"), .text("source", maximumWidth: 22),
            .text("identifier", maximumWidth: 30),
            .number("samples"), .text("last"),
        ])
        for source in sources {
            table.rows.append([
                source.isExcluded ? "–" : String(source.rank), source.name,
                source.bundleIdentifier, NumberText.grouped(Double(source.samples)),
                calendar.day(source.last),
            ])
        }
        return [sentence(what).wrapped(), "\n\n", table.text, notes(options)].joined()
    }

    private func sentence(_ what: String) -> String {
        let counting = sources.filter { !$0.isExcluded }
        let count = counted(sources.count, "source", "sources")
        guard type != nil, counting.count > 1 else { return "\(count)\(what)." }
        return "\(count)\(what). Where they overlap, \(counting[0].name.printable) takes "
            + "precedence, then \(counting[1].name.printable)."
    }

    private func notes(_ options: String) -> String {
        let lines = sources.flatMap { source in
            (exclusions[source.bundleIdentifier] ?? []).map {
                ExclusionNote.text(source.name, $0.type, reason: $0.reason, options)
            }
        }
        return lines.isEmpty ? "" : "\n" + lines.map { $0 + "\n" }.joined()
    }
}
