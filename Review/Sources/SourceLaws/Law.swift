/// A rule for the repository's Swift files. Many laws report nothing outside certain folders or
/// targets.
public struct Law: Sendable {
    /// The files that a law is applied to.
    enum Scope: Sendable {
        case all
        /// Files outside folders named `Generated`.
        case handwritten
    }

    /// A one-word name for the report: "imports".
    public let name: String
    /// The rule, as a sentence without a capital letter or full stop.
    public let summary: String
    let scope: Scope
    private let find: @Sendable (SourceFile) -> [Violation]

    init(
        _ name: String, _ summary: String, of scope: Scope = .handwritten,
        find: @escaping @Sendable (SourceFile) -> [Violation]
    ) {
        (self.name, self.summary, self.scope, self.find) = (name, summary, scope, find)
    }

    /// Returns the places where a file breaks this law.
    ///
    /// - Parameter file: The file to check.
    /// - Returns: The violations; empty for a generated file if the law is for handwritten code.
    public func violations(in file: SourceFile) -> [Violation] {
        scope == .handwritten && file.isGenerated ? [] : find(file)
    }

    /// All laws, in the order they are reported.
    public static let all: [Law] = [
        Law("imports", "a target imports only the modules in its row of the table", of: .all) {
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
            $0.unexplainedUnsafeAnnotations
        },
        Law("reads", "what an SQLite file holds is read with a check of its type", of: .all) {
            $0.uncheckedReads
        },
        Law("network", "only one file opens the network, for push", of: .all) { $0.networkUse },
        Law("ambient", "pure targets take clock, randomness and settings as parameters", of: .all) {
            $0.ambientUse
        },
        Law("seeds", "tests draw random numbers from a seed", of: .all) {
            $0.unseededRandomness
        },
        Law("columns", "columns and parameters are called by their names", of: .all) {
            $0.positionalReads
        },
        Law("calendars", "only one target computes with calendars") { $0.strayCalendars },
        Law("documentation", "what clients see is documented") { $0.undocumented },
        Law("booleans", "no public function takes a bare boolean") { $0.booleanParameters },
        Law("titles", "the names of tests are sentences", of: .all) { $0.namelessTests },
    ]
}

extension SourceTree {
    /// Returns the places where the tree breaks laws.
    ///
    /// - Parameter laws: The laws to check.
    /// - Returns: The violations with their laws, in the order of the laws.
    /// - Complexity: O(files · laws).
    public func violations(of laws: [Law] = Law.all) -> [(law: Law, violation: Violation)] {
        laws.flatMap { law in
            files.flatMap(law.violations(in:)).map { (law, $0) }
        }
    }
}
