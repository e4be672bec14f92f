/// Generates valid and invalid command lines for the documented options.
struct CommandGrammar {
    /// A command line with the expected format of its output.
    struct Line {
        var arguments: [String]
        /// Whether it runs until it is stopped.
        var isLongRunning = false
        var isJSON = false
        var isJSONLines = false
        var isCSV = false
        /// Whether no format is expected of the output, as for random words.
        var isJunk = false
    }

    let catalogue: Catalogue
    let folder: String
    let store: String
    /// Files for path arguments.
    let files: [String]

    private typealias Maker = @Sendable (CommandGrammar, inout SeededRandom) -> Line

    func line(_ random: inout SeededRandom) -> Line {
        var line = CommandGrammar.makers[random.below(CommandGrammar.makers.count)](self, &random)
        if random.percent(93) { line.arguments += ["--store", store] }
        if random.percent(45) {
            line.arguments.append("--json")
            line.isJSON = !line.isCSV && !line.isJunk
        }
        if random.percent(12) { line.arguments += ["--time-zone", random.pick(Hostile.zones)] }
        if random.percent(4) { line.arguments += ["--as", text(&random)] }
        if random.percent(10) { disturb(&line, &random) }
        return line
    }

    /// Applies one random fault to a line, such as a missing, repeated or changed argument.
    private func disturb(_ line: inout Line, _ random: inout SeededRandom) {
        // The meaning of a disturbed line is unknown, so its output format is not checked.
        (line.isJSON, line.isJSONLines, line.isCSV) = (false, false, false)
        line.isJunk = true
        let at = random.below(line.arguments.count + 1)
        let other = random.pick(line.arguments)
        switch random.below(7) {
        case 0: line.arguments.insert(text(&random), at: at)
        case 1: line.arguments.insert(other, at: at)
        case 2: if at < line.arguments.count { line.arguments.remove(at: at) }
        case 3:
            line.arguments.insert(
                random.pick(["--help", "--version", "--", "-", "-h", "--json=1"]), at: at)
        case 4: if at > 1 { line.arguments[at - 1] = text(&random) }
        case 5: line.arguments += ["--store", path(&random)]
        default: if at > 1 { line.arguments[at - 1] += "=" + text(&random) }
        }
        // These could run for minutes, which is not a defect.
        let heavy = ["simulate", "demo", "review"]
        if line.arguments.contains(where: heavy.contains) { line.arguments = ["types"] }
        line.isLongRunning = line.arguments.contains { ["serve", "open", "watch"].contains($0) }
    }

    // MARK: - Words

    func text(_ random: inout SeededRandom) -> String {
        if random.percent(20) {
            return CommandLineText.raw(UInt8(128 + random.below(128)))
                + CommandLineText.raw(UInt8(128 + random.below(128))) + "x"
        }
        return random.pick(
            random.percent(50) ? Hostile.texts : Hostile.numbers + Hostile.days + Hostile.units)
    }

    func type(_ random: inout SeededRandom) -> String {
        if random.percent(6) { return text(&random) }
        let others = ["sleepAnalysis", "workouts", "bloodPressure", "all", "activitySummary", "x"]
        if random.percent(20) { return random.pick(others) }
        let category = random.pick(catalogue.categories.map(\.name))
        if random.percent(12) { return category }
        let kind = catalogue.quantity(&random)
        return random.percent(85) ? kind.name : kind.identifier
    }

    func day(_ random: inout SeededRandom) -> String {
        random.percent(55)
            ? "2024-0\(1 + random.below(9))-\(10 + random.below(18))" : random.pick(Hostile.days)
    }

    func source(_ random: inout SeededRandom) -> String {
        Hostile.text(
            &random, usual: ["Zqsource", "iPhone", "Health", "Apple\u{A0}Watch von Anna", "com.x"])
    }

    func number(_ random: inout SeededRandom) -> String {
        random.percent(50) ? String(random.int(-1...40)) : random.pick(Hostile.numbers)
    }

    /// Returns a path: of a file in the fuzzer's folder, of a device, or of something that can't be
    /// read or written.
    func path(_ random: inout SeededRandom) -> String {
        random.percent(40)
            ? random.pick(files)
            : random.pick([
                "/dev/zero", "/dev/null", "/dev/full", folder, "/nowhere/x", "", "-", ".", "/",
                folder + "/fifo", folder + "/loop",
                folder + "/" + String(repeating: "p", count: 300),
                folder + "/new", folder + "/" + CommandLineText.raw(0xFF), "/proc/self/mem",
            ])
    }

    /// Returns some of the options with their values, each with a given probability in percent,
    /// occasionally twice. An option without a value returns nil for it.
    func options(
        _ share: Int, _ options: [(String, (inout SeededRandom) -> String?)],
        _ random: inout SeededRandom
    ) -> [String] {
        var words: [String] = []
        for (name, value) in options where random.percent(share) {
            for _ in 0...(random.percent(6) ? 1 : 0) {
                words.append(name)
                if let value = value(&random) { words.append(value) }
            }
        }
        return words
    }

    func range(_ random: inout SeededRandom) -> [String] {
        options(45, [("--from", { day(&$0) }), ("--to", { day(&$0) })], &random)
    }

    private static let makers: [Maker] = [
        { $0.stats(&$1) }, { $0.stats(&$1) }, { $0.stats(&$1) }, { $0.samples(&$1) },
        { $0.samples(&$1) }, { $0.explain(&$1) }, { $0.explain(&$1) }, { $0.summary(&$1) },
        { $0.summary(&$1) }, { $0.export(&$1) }, { $0.export(&$1) }, { $0.plain(&$1) },
        { $0.sources(&$1) }, { $0.sources(&$1) }, { $0.calibrate(&$1) }, { $0.weightLog(&$1) },
        { $0.weightEdit(&$1) }, { $0.weightLists(&$1) }, { $0.imports(&$1) }, { $0.grants(&$1) },
        { $0.importing(&$1) }, { $0.longRunning(&$1) }, { $0.heavy(&$1) }, { $0.junk(&$1) },
    ]
}
