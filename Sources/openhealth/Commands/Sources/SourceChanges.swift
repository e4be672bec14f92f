import ArgumentParser
import HealthEngine
import HealthStorage

/// Which type a change of the source order is about.
struct TypeArgument: ParsableArguments {
    @Argument(help: ArgumentHelp("stepCount or a full identifier.", valueName: "type"))
    var name: String
}

/// Which source.
struct SourceArgument: ParsableArguments {
    @Argument(help: ArgumentHelp("Its name or bundle identifier.", valueName: "name"))
    var name: String
}

extension GlobalOptions {
    /// Changes the sources of a type and shows what they have become.
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
            abstract: "Puts these sources first, in this order; the others follow as before.")

        @OptionGroup var type: TypeArgument
        @Argument(help: ArgumentHelp("Names or bundle identifiers.", valueName: "name"))
        var names: [String]
        @OptionGroup var global: GlobalOptions

        func run() throws {
            try global.changing(type.name) { store, type in
                do {
                    try store.setOrder(of: type, to: names)
                } catch let error as StoreError where error.code == .invalidArgument {
                    throw WrongUsage(error.description)
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
            abstract: "Leaves a source out of a type's statistics.")

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
            abstract: "Takes a source back into a type's statistics.")

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
            abstract: "Forgets every choice about a type's sources.")

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
            abstract:
                "Gives an imported source its true bundle identifier, which later imports keep.")

        @OptionGroup var source: SourceArgument
        @Argument(help: ArgumentHelp("As com.example.app.", valueName: "id"))
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
