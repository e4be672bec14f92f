// Commands on a page lead to the store that the page is of.
extension WhyPage {
    /// Ends every suggested command with options: " --as Anna".
    mutating func addToCommands(_ options: String) {
        commandOptions = options
        for index in excluded.indices {
            excluded[index].command = excluded[index].command.map { $0 + options }
        }
        let (previewed, calibrated) = (preview?.commands ?? [], calibration?.commands ?? [])
        preview?.commands = previewed.map { $0 + options }
        calibration?.commands = calibrated.map { $0 + options }
    }
}

extension CheckUpPage {
    /// Ends every suggested command with options: " --as Anna".
    mutating func addToCommands(_ options: String) {
        for index in findings.indices {
            findings[index].command = findings[index].command.map { $0 + options }
        }
    }
}

extension DataPage {
    /// Ends the command that the sentence of an empty store suggests with options: " --as Anna".
    mutating func addToCommands(_ options: String) {
        if sentence.hasSuffix("openhealth import export.zip") { sentence += options }
    }
}
