/// Global options may stand anywhere: `openhealth --json sources order stepCount Watch` is read as
/// `openhealth sources order stepCount Watch --json`.
enum GlobalArguments {
    private static let withValue = ["--store", "--as", "--time-zone"]
    private static let flags = ["--json"]

    /// The arguments with the global ones at the end, but before a `--`.
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
    /// Whether this is `option=value`.
    fileprivate func hasOption(_ option: String) -> Bool { hasPrefix(option + "=") }
}
