import Foundation

/// `make bench`: measures the built command, verifies its answers and checks its limits.
///
/// The exit code is 0 if every answer is right and every limit is met but those that limits.json
/// lists as missed, otherwise 1, and 64 for wrong usage.
@main
struct Session {
    private var scale = BenchmarkContext.Scale.full
    private var openhealth = "dist/openhealth"
    private var json: String?
    private var only: [String] = []
    private var wantsPeers = true
    private var records: [Int] = []

    static let usage = """
        usage: Benchmarks [--quick] [--openhealth PATH] [--only SUITE]… [--json FILE]
                          [--without-peers] [--records N,N…]

          --quick          a tenth of the records: shows that the measuring works; a
                           missed limit does not fail it
          --openhealth     the command to measure (dist/openhealth, made by make release)
          --only           one of: \(Suite.all.map(\.name).joined(separator: ", "))
          --json           write the figures there too
          --without-peers  skip what needs healthkit-to-sqlite and DuckDB
          --records        the sizes of growth (100000,1000000,5000000); with 20000000
                           it takes a quarter of an hour more, and 4 GB

        """

    static func main() {
        guard let session = Session(CommandLine.arguments.dropFirst()) else {
            FileHandle.standardError.write(Data(usage.utf8))
            exit(64)
        }
        exit(session.run())
    }

    private init?(_ words: some Sequence<String>) {
        var words = Array(words)[...]
        while let word = words.popFirst() {
            switch word {
            case "--quick": scale = .quick
            case "--without-peers": wantsPeers = false
            case "--openhealth", "--only", "--json", "--records":
                guard let value = words.popFirst() else { return nil }
                switch word {
                case "--openhealth": openhealth = value
                case "--json": json = value
                case "--records":
                    records = value.split(separator: ",").map { Int($0) ?? 0 }
                    // Ten simulated years have at least 88,337 records.
                    guard let least = records.min(), least >= 100_000 else { return nil }
                default:
                    guard Suite.all.contains(where: { $0.name == value }) else { return nil }
                    only.append(value)
                }
            default: return nil
            }
        }
    }

    /// The folder of this package, three levels above this file.
    static let package = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    private func run() -> Int32 {
        let path = URL(filePath: openhealth).path
        guard FileManager.default.isExecutableFile(atPath: path) else {
            FileHandle.standardError.write(Data("\(openhealth) is missing: make release\n".utf8))
            return 1
        }
        guard var card = Self.scorecard() else { return 1 }
        let context = BenchmarkContext(
            openhealth: path, peers: wantsPeers ? Peers(in: Self.package) : nil,
            folder: "\(Self.package)/.build/course", scale: scale,
            growthRecords: records.isEmpty ? scale.growthRecords : records)
        defer { try? FileManager.default.removeItem(atPath: context.folder) }
        do {
            try context.prepare()
            card.machine.readSQLiteVersion(ofDatabase: context.store)
            for suite in Suite.all where isWanted(suite) { perform(suite, on: context, &card) }
        } catch {
            card.fail("inputs: \((error as? Failure)?.message ?? "\(error)")")
        }
        Progress.clear()
        print(card.text, terminator: "")
        return end(card)
    }

    private static func scorecard() -> Scorecard? {
        let path = "\(package)/limits.json"
        do {
            return try Scorecard(limits: Data(contentsOf: URL(filePath: path)))
        } catch {
            FileHandle.standardError.write(Data("\(path) can't be read.\n".utf8))
            return nil
        }
    }

    private func isWanted(_ suite: Suite) -> Bool {
        if !only.isEmpty { return only.contains(suite.name) }
        return !Suite.onRequest.contains(suite.name)
            && !(scale == .quick && Suite.notQuick.contains(suite.name))
    }

    private func perform(_ suite: Suite, on context: BenchmarkContext, _ card: inout Scorecard) {
        do {
            try suite.run(context, &card)
        } catch {
            card.fail("\(suite.name): \((error as? Failure)?.message ?? "\(error)")")
        }
    }

    private func end(_ card: Scorecard) -> Int32 {
        var isDone = card.failures.isEmpty
        if let json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            encoder.nonConformingFloatEncodingStrategy = .convertToString(
                positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
            do {
                try encoder.encode(card).write(to: URL(filePath: json))
            } catch {
                FileHandle.standardError.write(Data("\(json) can't be written.\n".utf8))
                isDone = false
            }
        }
        switch scale {
        case .quick: print("A quick run: its limits mean nothing, its answers do.")
        case .full where only.isEmpty && !card.unused.isEmpty:
            print(card.missedText, terminator: "")
            print("Not measured: \(card.unused.joined(separator: "; ")).")
        case .full: print(card.missedText, terminator: "")
        }
        return isDone && (scale == .quick || !card.hasUnknownMiss) ? 0 : 1
    }
}
