import ArgumentParser
import HealthStorage
import HealthSync

/// `openhealth weight`
struct Weight: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "weight",
        abstract:
            "Keeps a diary of your weight in the store, with notes, tags and photos beside it.",
        discussion: """
            An app like any other: it asks to read and write body mass and to read height, nothing \
            else, and what it writes every program may read that is allowed to. Notes, tags and \
            photos stay in files of its own beside the store.

            Begin with:  openhealth weight log 82.4kg
            then:        openhealth weight trend
            """,
        subcommands: [Log.self, List.self, Edit.self, Remove.self, Trend.self],
        defaultSubcommand: List.self)
}

extension Weight {
    /// `openhealth weight log 82.4kg`
    struct Log: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "log", abstract: "Writes down a weight.")

        @Argument(
            help: ArgumentHelp(
                "82.4kg, 181.7lb, 12st 13lb; a number alone is in your unit.", valueName: "weight"))
        var weight: [String]

        @Option(
            help: ArgumentHelp(
                "When: 07:30, 2024-03-10, 2024-03-10T07:30, or with an offset; now if left out. A day "
                    + "alone is its noon.", valueName: "date"))
        var at: String?

        @Option(help: ArgumentHelp("A note beside it.", valueName: "text"))
        var note: String?

        @Option(
            help: ArgumentHelp("A tag beside it; may be given several times.", valueName: "tag"))
        var tag: [String] = []

        @Option(help: ArgumentHelp("A photo that is copied beside it.", valueName: "file"))
        var photo: [String] = []

        @OptionGroup var global: GlobalOptions

        func run() throws {
            let wish = WeightWish(
                text: weight.joined(separator: " "), at: at, note: note, tags: tag, photos: photo)
            _ = try WeightText.amount(wish.text ?? "", in: .kilogram)
            let asked = try WeightDiary.Asked(global, access: .creating)
            try Output.print(try awaited { try await WeightLogging(asked: asked).log(wish) })
        }
    }

    /// `openhealth weight list`
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Lists weights, the newest first (the default).",
            discussion: """
                A weight is named by its number or its id; an edit gives it a new id. What other \
                apps and devices wrote is listed with its source; only they can change it.
                """)

        @OptionGroup var range: DateRange

        @Option(help: ArgumentHelp("The most weights to list.", valueName: "n"))
        var limit: Int?

        @OptionGroup var unit: WeightUnitOption
        @OptionGroup var global: GlobalOptions

        func validate() throws {
            if let limit, limit < 0 { throw ValidationError("--limit is a number from 0 on.") }
        }

        func run() throws {
            let asked = try WeightDiary.Asked(global, access: .existing)
            let span = try range.span(asked.calendar)
            let list = WeightListing(asked: asked, span: span, limit: limit, unit: unit.unit)
            try Output.print(try awaited { try await list.answer() })
        }
    }

    /// `openhealth weight edit ID`
    struct Edit: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "edit",
            abstract: "Corrects a weight, or what stands beside it.",
            discussion: """
                The store gets a new version of the weight; notes, tags and photos go over to it. \
                Notes and tags can also be put beside weights of other sources.
                """)

        @Argument(help: ArgumentHelp("Its number or id, as list shows it.", valueName: "id"))
        var id: String

        @Argument(help: ArgumentHelp("The right weight, as log takes it.", valueName: "weight"))
        var weight: [String] = []

        @Option(help: ArgumentHelp("The right time, as log takes it.", valueName: "date"))
        var at: String?

        @Option(
            help: ArgumentHelp(
                "The note instead of those it has; \"\" for none.", valueName: "text"))
        var note: String?

        @Option(help: ArgumentHelp("Another tag; may be given several times.", valueName: "tag"))
        var tag: [String] = []

        @Option(help: ArgumentHelp("A tag to take away.", valueName: "tag"))
        var untag: [String] = []

        @Option(help: ArgumentHelp("Another photo.", valueName: "file"))
        var photo: [String] = []

        @OptionGroup var global: GlobalOptions

        func validate() throws {
            if weight.isEmpty, at == nil, note == nil, tag.isEmpty, untag.isEmpty, photo.isEmpty {
                throw ValidationError(
                    "Say what: another weight, --at, --note, --tag, --untag or --photo.")
            }
        }

        func run() throws {
            let wish = WeightWish(
                text: weight.isEmpty ? nil : weight.joined(separator: " "), at: at, note: note,
                tags: tag, untags: untag, photos: photo)
            if let text = wish.text { _ = try WeightText.amount(text, in: .kilogram) }
            let asked = try WeightDiary.Asked(global, access: .existing)
            let id = id
            try Output.print(try awaited { try await WeightLogging(asked: asked).edit(id, wish) })
        }
    }

    /// `openhealth weight remove ID`
    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Deletes a weight from the store.",
            discussion: """
                What stood beside it is kept and listed, until it is removed by its own id; \
                --with-notes removes it too.
                """)

        @Argument(help: ArgumentHelp("Its number or id, as list shows it.", valueName: "id"))
        var id: String

        @Flag(help: "Remove its notes, tags and photos too.")
        var withNotes = false

        @OptionGroup var global: GlobalOptions

        func run() throws {
            let asked = try WeightDiary.Asked(global, access: .existing)
            let (id, fate) = (id, withNotes ? AttachmentFate.removed : .kept)
            try Output.print(try awaited { try await WeightLogging(asked: asked).remove(id, fate) })
        }
    }

    /// `openhealth weight trend`
    struct Trend: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "trend",
            abstract: "Shows where your weight is going.",
            discussion: """
                The trend is smoothed exponentially: each day's average moves it a tenth of the way, \
                after a gap of n days 1 − 0.9ⁿ of it. The weekly rate is the slope of the straight \
                line through the daily averages of the last 28 days, by least squares. The body mass \
                index is the trend's, with the latest height the store has.
                """)

        @Option(help: ArgumentHelp("day, week or month.", valueName: "step"))
        var by = WeightPeriod.week

        @OptionGroup var range: DateRange
        @OptionGroup var unit: WeightUnitOption
        @OptionGroup var global: GlobalOptions

        func run() throws {
            let asked = try WeightDiary.Asked(global, access: .existing)
            let span = try range.span(asked.calendar)
            let trend = WeightTrendAnswer(asked: asked, span: span, period: by, unit: unit.unit)
            try Output.print(try awaited { try await trend.answer() })
        }
    }
}

/// `--unit`
struct WeightUnitOption: ParsableArguments {
    @Option(help: ArgumentHelp("kg, lb or st; your own unit if left out.", valueName: "unit"))
    var unit: WeightUnit?
}
