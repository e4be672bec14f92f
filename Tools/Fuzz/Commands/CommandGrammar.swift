/// Generates valid and invalid command lines for the documented options.
struct CommandGrammar {
    /// A command line with the expected format of its output.
    struct Line {
        var arguments: [String]
        /// Whether it runs until it is stopped.
        var goesOn = false
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

    private typealias Maker = @Sendable (CommandGrammar, inout Chance) -> Line

    func line(_ chance: inout Chance) -> Line {
        var line = CommandGrammar.makers[chance.below(CommandGrammar.makers.count)](self, &chance)
        if chance.percent(93) { line.arguments += ["--store", store] }
        if chance.percent(45) {
            line.arguments.append("--json")
            line.isJSON = !line.isCSV && !line.isJunk
        }
        if chance.percent(12) { line.arguments += ["--time-zone", chance.pick(Hostile.zones)] }
        if chance.percent(4) { line.arguments += ["--as", text(&chance)] }
        if chance.percent(10) { disturb(&line, &chance) }
        return line
    }

    /// Applies one random fault to a line, such as a missing, repeated or changed argument.
    private func disturb(_ line: inout Line, _ chance: inout Chance) {
        // The meaning of a disturbed line is unknown, so its output format is not checked.
        (line.isJSON, line.isJSONLines, line.isCSV) = (false, false, false)
        line.isJunk = true
        let at = chance.below(line.arguments.count + 1)
        let other = chance.pick(line.arguments)
        switch chance.below(7) {
        case 0: line.arguments.insert(text(&chance), at: at)
        case 1: line.arguments.insert(other, at: at)
        case 2: if at < line.arguments.count { line.arguments.remove(at: at) }
        case 3:
            line.arguments.insert(
                chance.pick(["--help", "--version", "--", "-", "-h", "--json=1"]), at: at)
        case 4: if at > 1 { line.arguments[at - 1] = text(&chance) }
        case 5: line.arguments += ["--store", path(&chance)]
        default: if at > 1 { line.arguments[at - 1] += "=" + text(&chance) }
        }
        // These could run for minutes, which is not a defect.
        let heavy = ["simulate", "demo", "review"]
        if line.arguments.contains(where: heavy.contains) { line.arguments = ["types"] }
        line.goesOn = line.arguments.contains { ["serve", "open", "watch"].contains($0) }
    }

    // MARK: - Words

    func text(_ chance: inout Chance) -> String {
        if chance.percent(20) {
            return CommandLineText.raw(UInt8(128 + chance.below(128)))
                + CommandLineText.raw(UInt8(128 + chance.below(128))) + "x"
        }
        return chance.pick(
            chance.percent(50) ? Hostile.texts : Hostile.numbers + Hostile.days + Hostile.units)
    }

    func type(_ chance: inout Chance) -> String {
        if chance.percent(6) { return text(&chance) }
        let others = ["sleepAnalysis", "workouts", "bloodPressure", "all", "activitySummary", "x"]
        if chance.percent(20) { return chance.pick(others) }
        let category = chance.pick(catalogue.categories.map(\.name))
        if chance.percent(12) { return category }
        let kind = catalogue.quantity(&chance)
        return chance.percent(85) ? kind.name : kind.identifier
    }

    func day(_ chance: inout Chance) -> String {
        chance.percent(55)
            ? "2024-0\(1 + chance.below(9))-\(10 + chance.below(18))" : chance.pick(Hostile.days)
    }

    func source(_ chance: inout Chance) -> String {
        Hostile.text(
            &chance, usual: ["Zqsource", "iPhone", "Health", "Apple\u{A0}Watch von Anna", "com.x"])
    }

    func number(_ chance: inout Chance) -> String {
        chance.percent(50) ? String(chance.int(-1...40)) : chance.pick(Hostile.numbers)
    }

    /// Returns a path: of a file in the fuzzer's folder, of a device, or of something that can't be
    /// read or written.
    func path(_ chance: inout Chance) -> String {
        chance.percent(40)
            ? chance.pick(files)
            : chance.pick([
                "/dev/zero", "/dev/null", "/dev/full", folder, "/nowhere/x", "", "-", ".", "/",
                folder + "/fifo", folder + "/loop",
                folder + "/" + String(repeating: "p", count: 300),
                folder + "/new", folder + "/" + CommandLineText.raw(0xFF), "/proc/self/mem",
            ])
    }

    /// Returns some of the options with their values, each with a given probability in percent,
    /// occasionally twice. An option without a value returns nil for it.
    func options(
        _ share: Int, _ options: [(String, (inout Chance) -> String?)], _ chance: inout Chance
    ) -> [String] {
        var words: [String] = []
        for (name, value) in options where chance.percent(share) {
            for _ in 0...(chance.percent(6) ? 1 : 0) {
                words.append(name)
                if let value = value(&chance) { words.append(value) }
            }
        }
        return words
    }

    func range(_ chance: inout Chance) -> [String] {
        options(45, [("--from", { day(&$0) }), ("--to", { day(&$0) })], &chance)
    }

    private static let makers: [Maker] = [
        { $0.stats(&$1) }, { $0.stats(&$1) }, { $0.stats(&$1) }, { $0.samples(&$1) },
        { $0.samples(&$1) }, { $0.explain(&$1) }, { $0.explain(&$1) }, { $0.summary(&$1) },
        { $0.summary(&$1) }, { $0.export(&$1) }, { $0.export(&$1) }, { $0.plain(&$1) },
        { $0.sources(&$1) }, { $0.sources(&$1) }, { $0.calibrate(&$1) }, { $0.weightLog(&$1) },
        { $0.weightEdit(&$1) }, { $0.weightLists(&$1) }, { $0.imports(&$1) }, { $0.grants(&$1) },
        { $0.importing(&$1) }, { $0.goingOn(&$1) }, { $0.heavy(&$1) }, { $0.junk(&$1) },
    ]
}
