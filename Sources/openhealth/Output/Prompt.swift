import Foundation

/// Questions to the user at a terminal.
enum Prompt {
    /// Whether standard input and standard error are terminals.
    static var isInteractive: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

    /// Asks a question on standard error. Returns true only for "y" or "yes", in any case of
    /// letters.
    static func confirm(_ question: String) -> Bool {
        Message.show(question.wrapped() + " [y/N] ")
        let answer = readLine()?.trimmingCharacters(in: .whitespaces).lowercased()
        return answer == "y" || answer == "yes"
    }

    /// Asks for one of several choices on standard error. Returns nil for an answer that is not the
    /// number of a choice.
    static func choose(_ question: String, among choices: [String]) -> String? {
        let list = choices.enumerated().map { "  \($0.offset + 1)  \($0.element.printable)\n" }
        Message.show(question.wrapped() + "\n" + list.joined() + "Number: ")
        let answer = readLine()?.trimmingCharacters(in: .whitespaces)
        guard let number = answer.flatMap({ Int($0) }), (1...choices.count).contains(number) else {
            return nil
        }
        return choices[number - 1]
    }
}
