import Foundation

/// A question that a person answers with yes or no.
enum Question {
    /// Whether somebody sits at a terminal to answer.
    static var canBeAsked: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

    /// Asks on standard error; anything but "y" or "yes" is a no.
    static func ask(_ question: String) -> Bool {
        Message.show(question.wrapped() + " [y/N] ")
        let answer = readLine()?.trimmingCharacters(in: .whitespaces).lowercased()
        return answer == "y" || answer == "yes"
    }

    /// Asks on standard error for one of some; nil for anything but the number of one.
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
