/// The command lines of each subcommand.
extension CommandGrammar {
    func stats(_ random: inout SeededRandom) -> Line {
        let csv = random.percent(30)
        let steps = ["total", "hour", "day", "week", "month", "year", "x"]
        var words = ["stats", type(&random)] + range(&random)
        words += options(
            30,
            [
                ("--by", { $0.pick(steps) }), ("--by-source", { _ in nil }),
                ("--source", { source(&$0) }),
                ("--week-starts", { $0.pick(["sunday", "monday", "x"]) }),
            ], &random)
        words += options(20, [("--unit", { $0.pick(Hostile.units) })], &random)
        return Line(arguments: words + (csv ? ["--csv"] : []), isCSV: csv)
    }

    func samples(_ random: inout SeededRandom) -> Line {
        let csv = random.percent(40)
        var words = ["samples", type(&random)] + range(&random)
        words += options(
            25,
            [
                ("--source", { source(&$0) }), ("--limit", { number(&$0) }),
                ("--merged", { _ in nil }),
            ], &random)
        return Line(arguments: words + (csv ? ["--csv"] : []), isCSV: csv)
    }

    func explain(_ random: inout SeededRandom) -> Line {
        Line(arguments: ["explain", type(&random), "--day", day(&random)])
    }

    func summary(_ random: inout SeededRandom) -> Line {
        Line(
            arguments: ["summary"]
                + options(
                    35,
                    [
                        ("--day", { day(&$0) }), ("--week", { _ in nil }),
                        ("--month", { _ in nil }),
                        ("--step-goal", { number(&$0) }),
                    ], &random))
    }

    func export(_ random: inout SeededRandom) -> Line {
        let format = random.pick(["csv", "csv", "jsonl", "jsonl", "sqlite", "apple", "x"])
        let isOut = random.percent(60)
        let out = isOut ? "-" : random.percent(60) ? folder + "/out" : path(&random)
        let isWritable = out != "-"
        var words = ["export", "--format", format, "--out", out] + range(&random)
        if random.percent(60) { words.insert(type(&random), at: 1) }
        words += options(
            20, [("--merged", { _ in nil }), ("--characteristics", { _ in nil })], &random)
        // `--force` is only added for a path whose file the fuzzer doesn't need.
        if isWritable, out == folder + "/out", random.percent(50) { words.append("--force") }
        var line = Line(arguments: words)
        if isOut, format == "jsonl" { line.isJSONLines = true }
        if isOut, format == "csv" { line.isCSV = true }
        return line
    }

    func plain(_ random: inout SeededRandom) -> Line {
        Line(
            arguments: random.pick(
                [
                    ["types"], ["sources"], ["check"], ["check", "--rebuild"], ["grants"],
                    ["imports"], ["workouts"] + range(&random), ["sources", type(&random)],
                    ["workouts"] + range(&random), ["weight"],
                ], or: ["types"]))
    }

    func sources(_ random: inout SeededRandom) -> Line {
        let verb = random.pick(["order", "exclude", "include", "reset", "identify", "list"])
        switch verb {
        case "order":
            let names = (0..<random.below(4)).map { _ in source(&random) }
            return Line(arguments: ["sources", verb, type(&random)] + names)
        case "reset", "list": return Line(arguments: ["sources", verb, type(&random)])
        case "identify": return Line(arguments: ["sources", verb, source(&random), text(&random)])
        default: return Line(arguments: ["sources", verb, type(&random), source(&random)])
        }
    }

    func calibrate(_ random: inout SeededRandom) -> Line {
        let days = (0...random.below(3)).map { _ in
            day(&random) + "=" + (random.percent(50) ? "8432" : random.pick(Hostile.numbers))
        }
        var words = ["sources", "calibrate", type(&random)] + days
        words += options(
            15, [("--apply", { _ in nil }), ("--unit", { $0.pick(Hostile.units) })], &random)
        return Line(arguments: words)
    }

    func weightLog(_ random: inout SeededRandom) -> Line {
        let usual = ["82.4kg", "181.7lb", "12st 13lb", "82,4", "80", "0.1kg"]
        var weight = random.pick(usual)
        if random.percent(45) {
            weight =
                random.pick(Hostile.numbers) + random.pick(["kg", "lb", "st", "", " kg", "mg"])
        }
        return Line(arguments: ["weight", "log", weight] + beside(&random))
    }

    private func beside(_ random: inout SeededRandom) -> [String] {
        options(
            20,
            [
                (
                    "--at",
                    { $0.percent(70) ? $0.pick(Hostile.days) : $0.pick(["07:30", "24:00", "7"]) }
                ),
                ("--note", { text(&$0) }), ("--tag", { text(&$0) }), ("--photo", { path(&$0) }),
            ], &random)
    }

    func weightEdit(_ random: inout SeededRandom) -> Line {
        let id = random.percent(60) ? "1" : random.percent(50) ? number(&random) : text(&random)
        if random.percent(40) {
            let words = ["weight", "remove", id]
            return Line(arguments: words + (random.percent(50) ? ["--with-notes"] : []))
        }
        var words = ["weight", "edit", id] + beside(&random)
        if random.percent(50) { words.insert(number(&random) + "kg", at: 3) }
        return Line(arguments: words + options(20, [("--untag", { text(&$0) })], &random))
    }

    func weightLists(_ random: inout SeededRandom) -> Line {
        var words = ["weight", random.pick(["list", "trend"])] + range(&random)
        words += options(
            25, [("--unit", { $0.pick(["kg", "lb", "st", "g"]) }), ("--limit", { number(&$0) })],
            &random)
        if words[1] == "trend" {
            words += options(40, [("--by", { $0.pick(["day", "week", "month", "x"]) })], &random)
            words.removeAll { $0 == "--limit" }
        }
        return Line(arguments: words)
    }

    func imports(_ random: inout SeededRandom) -> Line {
        let words = ["imports", random.pick(["diff", "undo", "list"])]
        if words[1] == "list" { return Line(arguments: words) }
        let number = random.percent(60) ? String(random.below(4)) : number(&random)
        return Line(
            arguments: words + [number] + (words[1] == "undo" ? ["--yes"] : []))
    }

    func grants(_ random: inout SeededRandom) -> Line {
        var words = ["grants", random.pick(["allow", "revoke"]), text(&random)]
        words += options(
            50, [("--read", { type(&$0) }), ("--share", { type(&$0) })], &random)
        words += options(30, [("--since", { day(&$0) })], &random)
        return Line(arguments: words)
    }

    func importing(_ random: inout SeededRandom) -> Line {
        Line(
            arguments: ["import", path(&random)]
                + options(
                    30, [("--partial", { _ in nil }), ("--same-person", { _ in nil })], &random))
    }

    /// Commands that run until they are stopped.
    func longRunning(_ random: inout SeededRandom) -> Line {
        let goal: (inout SeededRandom) -> String? = { number(&$0) }
        switch random.below(3) {
        case 0:
            let types = (0..<random.below(3)).map { _ in type(&random) }
            let words =
                ["watch"] + types
                + options(25, [("--from-start", { _ in nil }), ("--name", { text(&$0) })], &random)
            return Line(arguments: words, isLongRunning: true)
        case 1:
            let words =
                ["serve"]
                + options(25, [("--port", { number(&$0) }), ("--step-goal", goal)], &random)
                + options(
                    8, [("--listen", { $0.pick(["127.0.0.1", "", "x", "256.1.1.1"]) })], &random)
            return Line(arguments: words, isLongRunning: true)
        default:
            let words = ["open", path(&random)] + options(20, [("--step-goal", goal)], &random)
            return Line(arguments: words, isLongRunning: true)
        }
    }

    /// Expensive commands: rarely `demo` and `review`, and `simulate` with small or invalid
    /// amounts.
    func heavy(_ random: inout SeededRandom) -> Line {
        if random.percent(1) { return Line(arguments: ["demo"]) }
        if random.percent(10) { return Line(arguments: ["review", path(&random)]) }
        let refused = ["0", "-1", "x", "1e3", "", "99999999999999999999"]
        let records = random.percent(60) ? String(1 + random.below(900)) : random.pick(refused)
        var words = ["simulate", "--records", records, "--out"]
        words.append(random.percent(70) ? folder + "/sim.zip" : path(&random))
        words += options(
            12,
            [
                ("--years", { $0.pick(["1", "2", "0", "-1", "x"]) }), ("--seed", { number(&$0) }),
                ("--devices", { $0.pick(["phone", "watch", "both", "x"]) }),
                ("--daily-app", { _ in nil }),
                ("--truth", { $0.percent(60) ? folder + "/truth.json" : path(&$0) }),
            ], &random)
        return Line(arguments: words)
    }

    func junk(_ random: inout SeededRandom) -> Line {
        let commands = [
            "stats", "help", "weight", "sources", "imports", "grants", "x", "", "--help",
        ]
        return Line(
            arguments: [random.pick(commands)]
                + (0..<random.below(5)).map { _ in text(&random) }, isJunk: true)
    }
}
