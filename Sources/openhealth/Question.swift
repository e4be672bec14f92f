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
}
