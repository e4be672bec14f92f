import Foundation

/// A symbol of HealthKit and its status in this package.
struct LedgerEntry {
    enum Status {
        /// Tests are marked with the symbol, and `healthkit-absent.tsv` doesn't list it.
        case works([TestMark])
        /// The symbol doesn't meet the conditions of ``works(_:)``, but its name occurs in the
        /// sources. The reason is that in `healthkit-absent.tsv`, if it lists the symbol.
        case declared(reason: String)
        /// The symbol doesn't meet the conditions of ``works(_:)``, and its name doesn't occur in
        /// the sources.
        case absent(reason: String)
    }

    /// The symbol as in `Data/healthkit-symbols.tsv`: "HKQuantity.doubleValue(for:)".
    let symbol: String
    let kind: String
    /// The number of surveyed public apps that use the symbol.
    let apps: Int
    /// The name of the symbol's family if that family is left for later, such as "medications";
    /// otherwise empty.
    let family: String
    let status: Status

    /// The first part of the symbol, usually a type: "HKQuantity" for
    /// "HKQuantity.doubleValue(for:)".
    var owner: String { String(symbol.prefix { $0 != "." }) }

    var works: Bool { if case .works = status { true } else { false } }

    static func all(in tree: SourceTree) throws -> [LedgerEntry] {
        let marks = MarkTable(TestMark.all(in: tree.tests))
        let names = declaredNames(tree.sources)
        let reasons = try table(tree, "healthkit-absent.tsv")
        let rows = try table(tree, "healthkit-symbols.tsv")
        for mark in marks.unknown(among: Set(rows.map { $0[0] })) {
            throw LedgerError("\(mark.file): .covers(\"\(mark.symbol)\") names no symbol")
        }
        return rows.map { row in
            let (symbol, family) = (row[0], row.count > 3 ? row[3] : "")
            return LedgerEntry(
                symbol: symbol, kind: row[1], apps: Int(row[2]) ?? 0, family: family,
                status: status(
                    symbol, family, marks, names,
                    reasons.first { $0[0] == symbol }.map { $0[1] }))
        }
    }

    private static func status(
        _ symbol: String, _ family: String, _ marks: MarkTable, _ names: Set<String>,
        _ reason: String?
    ) -> Status {
        let tests = marks.tests(of: symbol)
        if let reason {
            return isDeclared(symbol, names) ? .declared(reason: reason) : .absent(reason: reason)
        }
        if !tests.isEmpty { return .works(tests) }
        if !isDeclared(symbol, names) {
            return .absent(reason: family.isEmpty ? "not built yet" : "family left for later")
        }
        return .declared(
            reason: family.isEmpty ? "no test names it yet" : "family left for later: \(family)")
    }

    /// Returns whether each part of a symbol's name, without its arguments, occurs as a word
    /// anywhere in the sources.
    private static func isDeclared(_ symbol: String, _ names: Set<String>) -> Bool {
        let bare = symbol.prefix { $0 != "(" }
        return bare.split(separator: ".").allSatisfy { names.contains(String($0)) }
    }

    private static func declaredNames(_ sources: [String: String]) -> Set<String> {
        var names: Set<String> = ["init"]
        for text in sources.values {
            for word in text.split(whereSeparator: { !($0.isLetter || $0.isNumber || $0 == "_") }) {
                names.insert(String(word))
            }
        }
        return names
    }

    /// Returns the cells of each row of a table in `Data/`, without its header.
    static func table(_ tree: SourceTree, _ name: String) throws -> [[String]] {
        try tree.data(name).split(separator: "\n").dropFirst().map { line in
            line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
    }
}

/// The marks by symbol. A mark that ends in `*` applies to all symbols with that prefix.
struct MarkTable {
    private var exact: [String: [TestMark]] = [:]
    private var prefixes: [TestMark] = []

    init(_ marks: [TestMark]) {
        for mark in marks {
            if mark.symbol.hasSuffix("*") {
                prefixes.append(mark)
            } else {
                exact[mark.symbol, default: []].append(mark)
            }
        }
    }

    /// Returns the marks that apply to a symbol: first those with its exact name, then those that
    /// end in `*` and match it by prefix.
    func tests(of symbol: String) -> [TestMark] {
        (exact[symbol] ?? []) + prefixes.filter { symbol.hasPrefix($0.symbol.dropLast()) }
    }

    /// Returns the marks that apply to none of the given symbols.
    func unknown(among symbols: Set<String>) -> [TestMark] {
        exact.values.joined().filter { !symbols.contains($0.symbol) }
            + prefixes.filter { mark in
                !symbols.contains { $0.hasPrefix(mark.symbol.dropLast()) }
            }
    }
}
