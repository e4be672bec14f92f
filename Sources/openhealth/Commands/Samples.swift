import ArgumentParser
import Foundation
import HealthEngine
import HealthStorage

/// `openhealth samples TYPE`
struct Samples: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "samples",
        abstract: "Lists samples as recorded, in order of start time.",
        discussion: """
            Values keep their recorded unit. With --merged, the command lists merged intervals \
            without double counting instead, each with its source, in the type's display unit.
            """)

    @Argument(help: ArgumentHelp("stepCount or a full identifier.", valueName: "type"))
    var type: String

    @OptionGroup var range: DateRange

    @Option(help: ArgumentHelp("Only this source. Can be repeated.", valueName: "name"))
    var source: [String] = []

    @Option(help: ArgumentHelp("The maximum number of samples to list.", valueName: "n"))
    var limit: Int?

    @Flag(help: "List merged intervals without double counting, instead of recorded samples.")
    var merged = false

    @Flag(help: "Print CSV.")
    var csv = false

    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if csv && global.json { throw ValidationError("Choose --json or --csv, not both.") }
        if let limit, limit < 0 { throw ValidationError("--limit must be 0 or more.") }
    }

    func run() throws {
        let store = try global.open()
        let type = try global.type(type, in: store)
        let calendar = try global.calendar(of: store)
        var query = SampleQuery(type, sources: source)
        try range.apply(to: &query, calendar)
        let format: SampleListing.Format = csv ? .csv : global.json ? .json : .table
        var listing = SampleListing(
            type: type, contents: merged ? .mergedIntervals : .samples, calendar: calendar,
            format: format, limit: limit)
        if listing.isDoses {
            listing.medications = SampleListing.names(of: try store.medications())
        }
        var output = Output()
        if merged {
            try writeMergedIntervals(store, query, listing, to: &output)
        } else {
            try listing.write(store, query, to: &output)
        }
        try output.flush()
    }

    private func writeMergedIntervals(
        _ store: SampleStore, _ query: SampleQuery, _ listing: SampleListing,
        to output: inout Output
    ) throws {
        var rules = StatisticsRules()
        rules.horizon = Date().timeIntervalSinceReferenceDate
        let mergedIntervals = try store.mergedIntervals(query, rules: rules).prefix(
            limit ?? .max)
        let options = StoreOptions.text(global)
        if mergedIntervals.isEmpty, limit != 0, let hidden = try ExcludedDataNote(store, query) {
            let text = hidden.text("in that period", options)
            if listing.format == .table { return try output.write(text) }
            Message.show(text)
        }
        try listing.write(mergedIntervals, to: &output)
        guard listing.format == .table else { return }
        for note in try ExclusionNote.all(store, listing.type, options) { Message.write(note) }
    }
}
