import ArgumentParser
import HealthEngine
import HealthStorage

/// The type argument of commands that change its sources.
struct TypeArgument: ParsableArguments {
    @Argument(help: ArgumentHelp("stepCount or a full identifier.", valueName: "type"))
    var name: String
}

/// The argument that names a source.
struct SourceArgument: ParsableArguments {
    @Argument(help: ArgumentHelp("The source's name or bundle identifier.", valueName: "name"))
    var name: String
}

extension GlobalOptions {
    /// Changes the sources of a type and prints the new list.
    fileprivate func changing(
        _ name: String, _ change: (SampleStore, SampleType) throws -> Void
    ) throws {
        let store = try open(.writing)
        let type = try type(name, in: store)
        let calendar = try calendar(of: store)
        try change(store, type)
        try SourceList(store, type, calendar).print(self)
    }
}

extension Sources {
    /// `openhealth sources order TYPE NAME…`
    struct Order: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "order",
            abstract: "Moves sources to the front; the others follow in their current order.")

        @OptionGroup var type: TypeArgument
        @Argument(
            help: ArgumentHelp("The sources' names or bundle identifiers.", valueName: "name"))
        var names: [String]
        @OptionGroup var global: GlobalOptions

        func run() throws {
            try global.changing(type.name) { store, type in
                do {
                    try store.setOrder(of: type, to: names)
                } catch let error as StoreError where error.code == .invalidArgument {
                    throw UsageError(error.sentence)
                }
            }
        }
    }
}

extension Sources {
    /// `openhealth sources exclude TYPE NAME`
    struct Exclude: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "exclude",
            abstract: "Excludes a source from a type's statistics.")

        @OptionGroup var type: TypeArgument
        @OptionGroup var source: SourceArgument
        @OptionGroup var global: GlobalOptions

        func run() throws {
            try global.changing(type.name) { try $0.set(.excluded, of: source.name, in: $1) }
        }
    }
}

extension Sources {
    /// `openhealth sources include TYPE NAME`
    struct Include: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "include",
            abstract: "Includes an excluded source in a type's statistics again.")

        @OptionGroup var type: TypeArgument
        @OptionGroup var source: SourceArgument
        @OptionGroup var global: GlobalOptions

        func run() throws {
            try global.changing(type.name) { try $0.set(.included, of: source.name, in: $1) }
        }
    }
}

extension Sources {
    /// `openhealth sources reset TYPE`
    struct Reset: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "reset",
            abstract: "Resets the order and the exclusions of a type's sources.")

        @OptionGroup var type: TypeArgument
        @OptionGroup var global: GlobalOptions

        func run() throws {
            try global.changing(type.name) { try $0.resetSources(of: $1) }
        }
    }
}

extension Sources {
    /// `openhealth sources identify NAME ID`
    struct Identify: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "identify",
            abstract: "Sets the bundle identifier of an imported source. Later imports keep it.")

        @OptionGroup var source: SourceArgument
        @Argument(
            help: ArgumentHelp(
                "The bundle identifier, for example com.example.app.", valueName: "id"))
        var identifier: String
        @OptionGroup var global: GlobalOptions

        func run() throws {
            let store = try global.open(.writing)
            let calendar = try global.calendar(of: store)
            try store.identify(source.name, as: identifier)
            try SourceList(store, nil, calendar).print(global)
        }
    }
}
