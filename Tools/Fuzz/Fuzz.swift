import Foundation

/// `make fuzz`: hostile imports, stores, command lines and requests against the built command.
///
/// Prints the seed, the counts and the first findings of each kind. Exits with 1 if there was a
/// finding or the fuzzer can't run, 64 on wrong usage. The fuzzers run as separate processes, two
/// at a time, unless only one is requested.
@main
struct Fuzz {
    private var minutes = 4.0
    private var cases: Int?
    private var from = 0
    private var seed = UInt64.random(in: 1...999_999)
    private var only: [String] = []
    private var openhealth = "dist/openhealth"
    private var keep = ".build/fuzz"

    /// The fuzzers and their shares of the time.
    private static let shares = [
        ("import", 0.40), ("store", 0.30), ("commands", 0.17), ("server", 0.13),
    ]

    static let usage = """
        usage: Fuzz [--minutes N | --cases N] [--seed N] [--only FUZZER]… [--from N]
                    [--openhealth PATH] [--keep FOLDER]

          --minutes     of all fuzzers together (4); two run beside each other
          --cases       the number of cases of each instead
          --seed        repeats a run; another one each time if left out
          --only        import, store, commands or server
          --from        the number of the first case (0)
          --openhealth  the command to test (dist/openhealth, made by make release)
          --keep        where files that reproduce a finding go (.build/fuzz)

        """

    static func main() {
        signal(SIGPIPE, SIG_IGN)
        guard let fuzz = Fuzz(CommandLine.arguments.dropFirst()) else {
            FileHandle.standardError.write(Data(usage.utf8))
            exit(64)
        }
        exit(fuzz.run())
    }

    private init?(_ words: some Sequence<String>) {
        var words = Array(words)[...]
        while let word = words.popFirst() {
            guard let value = words.popFirst() else { return nil }
            switch word {
            case "--minutes":
                guard let number = Double(value), number > 0 else { return nil }
                minutes = number
            case "--cases":
                guard let number = Int(value), number > 0 else { return nil }
                cases = number
            case "--from":
                guard let number = Int(value), number >= 0 else { return nil }
                from = number
            case "--seed":
                guard let number = UInt64(value) else { return nil }
                seed = number
            case "--only":
                guard Fuzz.shares.contains(where: { $0.0 == value }) else { return nil }
                only.append(value)
            case "--openhealth": openhealth = value
            case "--keep": keep = value
            default: return nil
            }
        }
    }

    private func run() -> Int32 {
        let path = URL(filePath: openhealth).path
        guard FileManager.default.isExecutableFile(atPath: path) else {
            FileHandle.standardError.write(
                Data("\(openhealth) is missing: make release\n".utf8))
            return 1
        }
        if only.count == 1 { return runFuzzer(only[0], path) }
        Progress.print("seed \(seed)")
        return runInParallel(Fuzz.shares.filter { only.isEmpty || only.contains($0.0) }, path)
    }

    private func runFuzzer(_ name: String, _ path: String) -> Int32 {
        let work = FileManager.default.temporaryDirectory
            .appending(path: "openhealth-fuzz-\(getpid())-\(name)").path
        do {
            try FileManager.default.createDirectory(
                atPath: work, withIntermediateDirectories: true)
            defer { Folder.remove(work) }
            let kept = URL(filePath: keep).path
            let findings = Findings(fuzzer: name, seed: seed, folder: kept)
            let fuzzRun = FuzzRun(
                seed: seed, from: from, cases: cases, seconds: minutes * 60, findings: findings)
            let command = TestedCommand(path: path, folder: work)
            return try fuzzRun.run(Fuzz.fuzzer(name, command, findings))
        } catch {
            Progress.print("\(name): \(error)")
            return 1
        }
    }

    private static func fuzzer(
        _ name: String, _ command: TestedCommand, _ findings: Findings
    ) throws -> any Fuzzer {
        switch name {
        case "import": try ImportFuzzer(command, findings)
        case "store": try StoreFuzzer(command, findings)
        case "commands": try CommandFuzzer(command, findings)
        default: try ServerFuzzer(command, findings)
        }
    }

    /// Runs fuzzers as processes, two at a time. Returns 1 if one of them fails, else 0.
    private func runInParallel(_ shares: [(String, Double)], _ path: String) -> Int32 {
        let totalShare = shares.reduce(0) { $0 + $1.1 }
        var pending = shares[...]
        var running: [Process] = []
        var status: Int32 = 0
        while !pending.isEmpty || !running.isEmpty {
            if running.count < 2, let (name, share) = pending.popFirst() {
                let amount =
                    cases.map { ["--cases", String($0)] }
                    ?? ["--minutes", String(minutes * share / totalShare)]
                let process = Process()
                process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
                process.arguments =
                    ["--only", name, "--seed", String(seed), "--from", String(from)] + amount
                    + ["--openhealth", path, "--keep", keep]
                do { try process.run() } catch { return 1 }
                running.append(process)
                continue
            }
            usleep(100_000)
            for process in running where !process.isRunning {
                if process.terminationStatus != 0 { status = 1 }
            }
            running.removeAll { !$0.isRunning }
        }
        return status
    }
}
