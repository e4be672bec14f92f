/// A negative number behind an option is its value: `--limit -5` is read as `--limit=-5`, so that
/// the answer can say which numbers there are.
enum NegativeNumbers {
    /// The arguments with such pairs joined, but for those behind a `--`.
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
