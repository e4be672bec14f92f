/// A rule for every Swift file of the repository.
public struct Law: Sendable {
    /// The files that a law applies to.
    enum Reach: Sendable {
        case all
        /// Handwritten files. Generated tables are excluded.
        case handwritten
    }

    /// A one-word name for the report: "imports".
    public let name: String
    /// The rule, as a sentence.
    public let summary: String
    let reach: Reach
    private let find: @Sendable (SourceFile) -> [Breach]

    init(
        _ name: String, _ summary: String, of reach: Reach = .handwritten,
        find: @escaping @Sendable (SourceFile) -> [Breach]
    ) {
        (self.name, self.summary, self.reach, self.find) = (name, summary, reach, find)
    }

    /// Returns the places where a file breaks this law.
    ///
    /// - Parameter file: The file to check.
    /// - Returns: The breaches; empty for a generated file if the law is for handwritten code.
    public func breaches(in file: SourceFile) -> [Breach] {
        reach == .handwritten && file.isGenerated ? [] : find(file)
    }

    /// All laws, in the order they are reported.
    public static let all: [Law] = [
        Law("imports", "a room imports only from the floors below", of: .all) {
            $0.forbiddenImports
        },
        Law("names", "files and types have names that say what they are") { $0.emptyNames },
        Law("functions", FunctionLimits.summary) { $0.excessiveFunctions },
        Law("traps", "nothing traps and no library prints", of: .all) {
            $0.trapsAndPrints
        },
        Law("conversions", "a floating-point number becomes an integer within bounds") {
            $0.trappingConversions
        },
        Law("claims", "what the compiler can't check has its reason above") {
            $0.unexplainedClaims
        },
        Law("reads", "what an SQLite file holds is read with a check of its type", of: .all) {
            $0.uncheckedReads
        },
        Law("network", "no room opens the network", of: .all) { $0.networkUse },
        Law("ambient", "pure rooms take clock, chance and settings as parameters", of: .all) {
            $0.ambientUse
        },
        Law("seeds", "tests draw random numbers from a seed", of: .all) {
            $0.unseededRandomness
        },
        Law("columns", "columns and parameters are called by their names", of: .all) {
            $0.positionalReads
        },
        Law("calendars", "one room knows calendars") { $0.strayCalendars },
        Law("documentation", "what clients see is documented") { $0.undocumented },
        Law("booleans", "no public function takes a bare boolean") { $0.booleanParameters },
        Law("titles", "the names of tests are sentences", of: .all) { $0.namelessTests },
    ]
}

extension SourceTree {
    /// Returns the places where the tree breaks laws.
    ///
    /// - Parameter laws: The laws to check.
    /// - Returns: The breaches with their laws, in the order of the laws.
    /// - Complexity: O(files · laws).
    public func breaches(of laws: [Law] = Law.all) -> [(law: Law, breach: Breach)] {
        laws.flatMap { law in
            files.flatMap(law.breaches(in:)).map { (law, $0) }
        }
    }
}
