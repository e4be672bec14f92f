import ArgumentParser
import HealthStorage
import HealthSync

/// `openhealth weight`
struct Weight: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "weight",
        abstract:
            "Logs your weight in the store, with notes, tags and photos.",
        discussion: """
            The diary is a program like any other: it requests permission to read and save body \
            mass and to read height. Programs with permission can read the weights. Notes, tags \
            and photos are kept in the diary's own files beside the store.

            Start with:  openhealth weight log 82.4kg
            then:        openhealth weight trend
            """,
        subcommands: [Log.self, List.self, Edit.self, Remove.self, Trend.self],
        defaultSubcommand: List.self)
}

extension Weight {
    /// `openhealth weight log 82.4kg`
    struct Log: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "log", abstract: "Adds a weight.")

        @Argument(
            help: ArgumentHelp(
                "82.4kg, 181.7lb or 12st 13lb. The default unit is yours.", valueName: "weight"))
        var weight: [String]

        @Option(
            help: ArgumentHelp(
                "The time: 07:30, 2024-03-10, 2024-03-10T07:30, or with an offset. A date alone "
                    + "means noon. Default: now.", valueName: "date"))
        var at: String?

        @Option(help: ArgumentHelp("A note to attach.", valueName: "text"))
        var note: String?

        @Option(help: ArgumentHelp("A tag to attach. Can be repeated.", valueName: "tag"))
        var tag: [String] = []

        @Option(
            help: ArgumentHelp("A photo to attach. The file is copied.", valueName: "file"))
        var photo: [String] = []

        @OptionGroup var global: GlobalOptions

        @MainActor func run() async throws { try await run(.none) }

        /// Runs the command with a test hook at each step of its writes.
        @MainActor func run(_ probe: SyncProbe) async throws {
            let input = WeightInput(
                text: weight.joined(separator: " "), at: at, note: note, tags: tag, photos: photo)
            _ = try WeightText.amount(input.text ?? "", in: .kilogram)
            let context = try WeightDiary.CommandContext(global, access: .creating)
            try Output.print(try await WeightLogging(context: context, probe: probe).log(input))
        }
    }

    /// `openhealth weight list`
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Lists weights, newest first (the default).",
            discussion: """
                edit and remove take a weight's number or id. Editing a weight changes its id. \
                Weights of other apps and devices are listed with their source and are read-only.
                """)

        @OptionGroup var range: DateRange

        @Option(help: ArgumentHelp("The maximum number of weights to list.", valueName: "n"))
        var limit: Int?

        @OptionGroup var unit: WeightUnitOption
        @OptionGroup var global: GlobalOptions

        func validate() throws {
            if let limit, limit < 0 { throw ValidationError("--limit must be 0 or more.") }
        }

        @MainActor func run() async throws {
            let context = try WeightDiary.CommandContext(global, access: .existing)
            let span = try range.span(context.calendar)
            let list = WeightListing(context: context, span: span, limit: limit, unit: unit.unit)
            try Output.print(try await list.output())
        }
    }

    /// `openhealth weight edit ID`
    struct Edit: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "edit",
            abstract: "Changes a weight, its notes, tags or photos.",
            discussion: """
                The store gets a new version of the weight, with the same notes, tags and photos. \
                Notes and tags can also be attached to weights of other sources.
                """)

        @Argument(help: ArgumentHelp("The weight's number or id from list.", valueName: "id"))
        var id: String

        @Argument(help: ArgumentHelp("The new weight, as in log.", valueName: "weight"))
        var weight: [String] = []

        @Option(help: ArgumentHelp("The new time, as in log.", valueName: "date"))
        var at: String?

        @Option(
            help: ArgumentHelp(
                "The note that replaces the existing notes; \"\" removes them.", valueName: "text"))
        var note: String?

        @Option(help: ArgumentHelp("A tag to add. Can be repeated.", valueName: "tag"))
        var tag: [String] = []

        @Option(help: ArgumentHelp("A tag to remove.", valueName: "tag"))
        var untag: [String] = []

        @Option(help: ArgumentHelp("A photo to add.", valueName: "file"))
        var photo: [String] = []

        @OptionGroup var global: GlobalOptions

        func validate() throws {
            if weight.isEmpty, at == nil, note == nil, tag.isEmpty, untag.isEmpty, photo.isEmpty {
                throw ValidationError(
                    "Name a change: a new weight, --at, --note, --tag, --untag or --photo.")
            }
        }

        @MainActor func run() async throws { try await run(.none) }

        /// Runs the command with a test hook at each step of its writes.
        @MainActor func run(_ probe: SyncProbe) async throws {
            let input = WeightInput(
                text: weight.isEmpty ? nil : weight.joined(separator: " "), at: at, note: note,
                tags: tag, untags: untag, photos: photo)
            if let text = input.text { _ = try WeightText.amount(text, in: .kilogram) }
            let context = try WeightDiary.CommandContext(global, access: .existing)
            try Output.print(
                try await WeightLogging(context: context, probe: probe).edit(id, input))
        }
    }

    /// `openhealth weight remove ID`
    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Deletes a weight from the store.",
            discussion: """
                The weight's notes, tags and photos are kept and listed until they are removed by \
                their own ids. --with-notes removes them too.
                """)

        @Argument(
            help: ArgumentHelp(
                "The number or id from list, of a weight or of a kept note, tag or photo.",
                valueName: "id"))
        var id: String

        @Flag(help: "Also remove the weight's notes, tags and photos.")
        var withNotes = false

        @OptionGroup var global: GlobalOptions

        @MainActor func run() async throws { try await run(.none) }

        /// Runs the command with a test hook at each step of its writes.
        @MainActor func run(_ probe: SyncProbe) async throws {
            let context = try WeightDiary.CommandContext(global, access: .existing)
            let attachmentRule: AttachmentDeleteRule = withNotes ? .removed : .kept
            try Output.print(
                try await WeightLogging(context: context, probe: probe).remove(id, attachmentRule))
        }
    }

    /// `openhealth weight trend`
    struct Trend: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "trend",
            abstract: "Shows the trend of your weight.",
            discussion: """
                The trend is the exponentially smoothed daily average: each day moves it by 10 % \
                of the difference, after n days by 1 − 0.9ⁿ. The weekly rate is the slope of the \
                least squares line through the daily averages of the last 28 days. The body mass \
                index is computed from the trend and the latest height.
                """)

        @Option(help: ArgumentHelp("The period of a row: day, week or month.", valueName: "step"))
        var by = WeightPeriod.week

        @OptionGroup var range: DateRange
        @OptionGroup var unit: WeightUnitOption
        @OptionGroup var global: GlobalOptions

        @MainActor func run() async throws {
            let context = try WeightDiary.CommandContext(global, access: .existing)
            let span = try range.span(context.calendar)
            let trend = WeightTrendResult(context: context, span: span, period: by, unit: unit.unit)
            try Output.print(try await trend.output())
        }
    }
}

/// The option `--unit` of weights.
struct WeightUnitOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The unit: kg, lb or st. Default: your preferred unit.", valueName: "unit"))
    var unit: WeightUnit?
}
