/// The command lines of each subcommand.
extension CommandGrammar {
    func stats(_ chance: inout Chance) -> Line {
        let csv = chance.percent(30)
        let steps = ["total", "hour", "day", "week", "month", "year", "x"]
        var words = ["stats", type(&chance)] + range(&chance)
        words += options(
            30,
            [
                ("--by", { $0.pick(steps) }), ("--by-source", { _ in nil }),
                ("--source", { source(&$0) }),
                ("--week-starts", { $0.pick(["sunday", "monday", "x"]) }),
            ], &chance)
        words += options(20, [("--unit", { $0.pick(Hostile.units) })], &chance)
        return Line(arguments: words + (csv ? ["--csv"] : []), isCSV: csv)
    }

    func samples(_ chance: inout Chance) -> Line {
        let csv = chance.percent(40)
        var words = ["samples", type(&chance)] + range(&chance)
        words += options(
            25,
            [
                ("--source", { source(&$0) }), ("--limit", { number(&$0) }),
                ("--merged", { _ in nil }),
            ], &chance)
        return Line(arguments: words + (csv ? ["--csv"] : []), isCSV: csv)
    }

    func explain(_ chance: inout Chance) -> Line {
        Line(arguments: ["explain", type(&chance), "--day", day(&chance)])
    }

    func summary(_ chance: inout Chance) -> Line {
        Line(
            arguments: ["summary"]
                + options(
                    35,
                    [
                        ("--day", { day(&$0) }), ("--week", { _ in nil }),
                        ("--month", { _ in nil }),
                        ("--step-goal", { number(&$0) }),
                    ], &chance))
    }

    func export(_ chance: inout Chance) -> Line {
        let format = chance.pick(["csv", "csv", "jsonl", "jsonl", "sqlite", "apple", "x"])
        let isOut = chance.percent(60)
        let out = isOut ? "-" : chance.percent(60) ? folder + "/out" : path(&chance)
        let isWritable = out != "-"
        var words = ["export", "--format", format, "--out", out] + range(&chance)
        if chance.percent(60) { words.insert(type(&chance), at: 1) }
        words += options(
            20, [("--merged", { _ in nil }), ("--characteristics", { _ in nil })], &chance)
        // `--force` is only added for a path whose file the fuzzer doesn't need.
        if isWritable, out == folder + "/out", chance.percent(50) { words.append("--force") }
        var line = Line(arguments: words)
        if isOut, format == "jsonl" { line.isJSONLines = true }
        if isOut, format == "csv" { line.isCSV = true }
        return line
    }

    func plain(_ chance: inout Chance) -> Line {
        Line(
            arguments: chance.pick(
                [
                    ["types"], ["sources"], ["check"], ["check", "--rebuild"], ["grants"],
                    ["imports"], ["workouts"] + range(&chance), ["sources", type(&chance)],
                    ["workouts"] + range(&chance), ["weight"],
                ], or: ["types"]))
    }

    func sources(_ chance: inout Chance) -> Line {
        let verb = chance.pick(["order", "exclude", "include", "reset", "identify", "list"])
        switch verb {
        case "order":
            let names = (0..<chance.below(4)).map { _ in source(&chance) }
            return Line(arguments: ["sources", verb, type(&chance)] + names)
        case "reset", "list": return Line(arguments: ["sources", verb, type(&chance)])
        case "identify": return Line(arguments: ["sources", verb, source(&chance), text(&chance)])
        default: return Line(arguments: ["sources", verb, type(&chance), source(&chance)])
        }
    }

    func calibrate(_ chance: inout Chance) -> Line {
        let days = (0...chance.below(3)).map { _ in
            day(&chance) + "=" + (chance.percent(50) ? "8432" : chance.pick(Hostile.numbers))
        }
        var words = ["sources", "calibrate", type(&chance)] + days
        words += options(
            15, [("--apply", { _ in nil }), ("--unit", { $0.pick(Hostile.units) })], &chance)
        return Line(arguments: words)
    }

    func weightLog(_ chance: inout Chance) -> Line {
        let usual = ["82.4kg", "181.7lb", "12st 13lb", "82,4", "80", "0.1kg"]
        var weight = chance.pick(usual)
        if chance.percent(45) {
            weight =
                chance.pick(Hostile.numbers) + chance.pick(["kg", "lb", "st", "", " kg", "mg"])
        }
        return Line(arguments: ["weight", "log", weight] + beside(&chance))
    }

    private func beside(_ chance: inout Chance) -> [String] {
        options(
            20,
            [
                (
                    "--at",
                    { $0.percent(70) ? $0.pick(Hostile.days) : $0.pick(["07:30", "24:00", "7"]) }
                ),
                ("--note", { text(&$0) }), ("--tag", { text(&$0) }), ("--photo", { path(&$0) }),
            ], &chance)
    }

    func weightEdit(_ chance: inout Chance) -> Line {
        let id = chance.percent(60) ? "1" : chance.percent(50) ? number(&chance) : text(&chance)
        if chance.percent(40) {
            let words = ["weight", "remove", id]
            return Line(arguments: words + (chance.percent(50) ? ["--with-notes"] : []))
        }
        var words = ["weight", "edit", id] + beside(&chance)
        if chance.percent(50) { words.insert(number(&chance) + "kg", at: 3) }
        return Line(arguments: words + options(20, [("--untag", { text(&$0) })], &chance))
    }

    func weightLists(_ chance: inout Chance) -> Line {
        var words = ["weight", chance.pick(["list", "trend"])] + range(&chance)
        words += options(
            25, [("--unit", { $0.pick(["kg", "lb", "st", "g"]) }), ("--limit", { number(&$0) })],
            &chance)
        if words[1] == "trend" {
            words += options(40, [("--by", { $0.pick(["day", "week", "month", "x"]) })], &chance)
            words.removeAll { $0 == "--limit" }
        }
        return Line(arguments: words)
    }

    func imports(_ chance: inout Chance) -> Line {
        let words = ["imports", chance.pick(["diff", "undo", "list"])]
        if words[1] == "list" { return Line(arguments: words) }
        let number = chance.percent(60) ? String(chance.below(4)) : number(&chance)
        return Line(
            arguments: words + [number] + (words[1] == "undo" ? ["--yes"] : []))
    }

    func grants(_ chance: inout Chance) -> Line {
        var words = ["grants", chance.pick(["allow", "revoke"]), text(&chance)]
        words += options(
            50, [("--read", { type(&$0) }), ("--share", { type(&$0) })], &chance)
        words += options(30, [("--since", { day(&$0) })], &chance)
        return Line(arguments: words)
    }

    func importing(_ chance: inout Chance) -> Line {
        Line(
            arguments: ["import", path(&chance)]
                + options(
                    30, [("--partial", { _ in nil }), ("--same-person", { _ in nil })], &chance))
    }

    /// Commands that run until they are stopped.
    func goingOn(_ chance: inout Chance) -> Line {
        let goal: (inout Chance) -> String? = { number(&$0) }
        switch chance.below(3) {
        case 0:
            let types = (0..<chance.below(3)).map { _ in type(&chance) }
            let words =
                ["watch"] + types
                + options(25, [("--from-start", { _ in nil }), ("--name", { text(&$0) })], &chance)
            return Line(arguments: words, goesOn: true)
        case 1:
            let words =
                ["serve"]
                + options(25, [("--port", { number(&$0) }), ("--step-goal", goal)], &chance)
                + options(
                    8, [("--listen", { $0.pick(["127.0.0.1", "", "x", "256.1.1.1"]) })], &chance)
            return Line(arguments: words, goesOn: true)
        default:
            let words = ["open", path(&chance)] + options(20, [("--step-goal", goal)], &chance)
            return Line(arguments: words, goesOn: true)
        }
    }

    /// Expensive commands: rarely `demo` and `review`, and `simulate` with small or invalid
    /// amounts.
    func heavy(_ chance: inout Chance) -> Line {
        if chance.percent(1) { return Line(arguments: ["demo"]) }
        if chance.percent(10) { return Line(arguments: ["review", path(&chance)]) }
        let refused = ["0", "-1", "x", "1e3", "", "99999999999999999999"]
        let records = chance.percent(60) ? String(1 + chance.below(900)) : chance.pick(refused)
        var words = ["simulate", "--records", records, "--out"]
        words.append(chance.percent(70) ? folder + "/sim.zip" : path(&chance))
        words += options(
            12,
            [
                ("--years", { $0.pick(["1", "2", "0", "-1", "x"]) }), ("--seed", { number(&$0) }),
                ("--devices", { $0.pick(["phone", "watch", "both", "x"]) }),
                ("--daily-app", { _ in nil }),
                ("--truth", { $0.percent(60) ? folder + "/truth.json" : path(&$0) }),
            ], &chance)
        return Line(arguments: words)
    }

    func junk(_ chance: inout Chance) -> Line {
        let commands = [
            "stats", "help", "weight", "sources", "imports", "grants", "x", "", "--help",
        ]
        return Line(
            arguments: [chance.pick(commands)]
                + (0..<chance.below(5)).map { _ in text(&chance) }, isJunk: true)
    }
}
