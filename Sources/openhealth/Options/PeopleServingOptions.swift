import ArgumentParser
import Foundation

/// The options of `serve` for many people.
struct PeopleServingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Serve the people in this folder or database (postgresql://…) instead of one store. "
                + "Default: $OPENHEALTH_PEOPLE, if no store is chosen.",
            valueName: "where"))
    var people: String?

    @Option(
        help: ArgumentHelp(
            "With --people: the folder for this process's copies of stores. Default: cache in the "
                + "people's folder, else ~/.cache/openhealth/people.",
            valueName: "folder"))
    var cache: String?

    @Option(
        help: ArgumentHelp(
            "With --people: how long /ready answers 503 before the server ends.",
            valueName: "seconds"))
    var graceSeconds = 0

    @Option(
        help: ArgumentHelp(
            "With --people: the file of the log, one line of JSON for each request; “-” for "
                + "standard output, “none” for no log. Default: standard error.",
            valueName: "file"))
    var log: String?

    #if People
        @OptionGroup var keys: PeopleKeyOptions
    #endif

    func validate() throws {
        guard (0...600).contains(graceSeconds) else {
            throw ValidationError("--grace-seconds must be from 0 to 600.")
        }
    }

    /// Where the people are; nil to serve one store.
    ///
    /// - Throws: ``UsageError`` for a store beside people.
    func place(_ global: GlobalOptions) throws -> String? {
        if let people {
            guard global.store == nil, global.as == nil else {
                throw UsageError("Use either --people or --store and --as.")
            }
            return people
        }
        guard global.store == nil, global.as == nil else { return nil }
        let environment = ProcessInfo.processInfo.environment["OPENHEALTH_PEOPLE"]
        return environment.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The folder for copies of stores.
    func cacheFolder(ofPeopleAt place: String) throws -> String {
        if let cache { return cache }
        if !place.contains("://") { return place + "/cache" }
        let environment = ProcessInfo.processInfo.environment
        let base = environment["XDG_CACHE_HOME"].flatMap { $0.isEmpty ? nil : $0 }
        guard let folder = base ?? environment["HOME"].map({ $0 + "/.cache" }) else {
            throw UsageError("Choose a folder for copies of stores with --cache.")
        }
        return folder + "/openhealth/people"
    }
}
