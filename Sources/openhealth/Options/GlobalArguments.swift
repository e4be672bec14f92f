/// Allows global options before the subcommand: `openhealth --json sources order stepCount Watch`
/// is parsed as `openhealth sources order stepCount Watch --json`.
enum GlobalArguments {
    private static let withValue = ["--store", "--as", "--time-zone"]
    private static let flags = ["--json"]

    /// Moves the global options and their values to the end, or before the first `--`.
    static func moved(_ arguments: [String]) -> [String] {
        let rest = arguments.firstIndex(of: "--").map { arguments[$0...] } ?? []
        var kept: [String] = []
        var global: [String] = []
        var index = 0
        let end = arguments.count - rest.count
        while index < end {
            let argument = arguments[index]
            if flags.contains(argument) || withValue.contains(where: argument.hasOption) {
                global.append(argument)
            } else if withValue.contains(argument) {
                global.append(argument)
                if index + 1 < end {
                    index += 1
                    global.append(arguments[index])
                }
            } else {
                kept.append(argument)
            }
            index += 1
        }
        return kept + global + rest
    }
}

extension String {
    /// Returns whether the argument is `option=value`.
    fileprivate func hasOption(_ option: String) -> Bool { hasPrefix(option + "=") }
}

/// Attaches a negative number to the option before it: `--limit -5` is parsed as `--limit=-5`, so
/// that the error message can state the valid range.
enum NegativeNumbers {
    /// Returns the arguments with such pairs joined. Arguments after a `--` are unchanged.
    static func joined(_ arguments: [String]) -> [String] {
        var joined: [String] = []
        var isLiteral = false
        for argument in arguments {
            if !isLiteral, isNegative(argument), let option = joined.last, option.hasPrefix("--"),
                !option.contains("=")
            {
                joined[joined.count - 1] = option + "=" + argument
            } else {
                joined.append(argument)
            }
            if argument == "--" { isLiteral = true }
        }
        return joined
    }

    private static func isNegative(_ argument: String) -> Bool {
        argument.hasPrefix("-") && Double(argument) != nil
            && argument.dropFirst().first?.isNumber == true
    }
}
