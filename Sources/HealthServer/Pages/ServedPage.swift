import Foundation
import HealthDashboard

/// A page as the server knows it: an address and what is sent for it.
public struct ServedPage: Sendable {
    /// What the address reaches.
    public enum Reach: Sendable {
        /// "/sleep" alone.
        case path
        /// "/workouts" and "/workouts/" with a name behind it.
        case pathAndName
    }

    /// How a request is made.
    public enum Verb: Sendable {
        case get
        /// A form is sent: it may change something.
        case post
    }

    enum Format { case html, json }

    let path: String
    let reach: Reach
    let verb: Verb
    let body: @Sendable (PageQuestion, Format) async throws -> Body

    enum Body {
        case content(String)
        /// Look there instead, as after a form was taken.
        case elsewhere(String)
    }

    /// A page of a value, sent as HTML or, the same value, as JSON with ISO 8601 dates and sorted keys.
    ///
    /// - Parameters:
    ///   - answer: Finds the value; throws ``PageError`` or `Unavailability`.
    ///   - html: Writes it, once more with the question for what a form has to send back.
    public init<Value: Encodable & Sendable>(
        at path: String, _ reach: Reach = .path, verb: Verb = .get,
        answer: @escaping @Sendable (PageQuestion) async throws -> Value,
        html: @escaping @Sendable (Value, PageQuestion) -> String
    ) {
        self.path = path
        self.reach = reach
        self.verb = verb
        body = { question, format in
            let value = try await answer(question)
            switch format {
            case .html: return .content(html(value, question))
            case .json: return .content(try PageJSON.text(value))
            }
        }
    }

    /// A form that is taken and answered by another page.
    ///
    /// - Parameter action: Does it, and says which page shows the outcome: "/why?metric=stepCount".
    public init(
        form path: String, action: @escaping @Sendable (PageQuestion) async throws -> String
    ) {
        self.path = path
        reach = .path
        verb = .post
        body = { question, _ in .elsewhere(try await action(question)) }
    }
}

/// A file that belongs to the pages and holds nothing of a person's: style and script.
public struct ServedFile: Sendable {
    public var path: String
    public var contentType: String
    public var text: String

    public init(path: String, contentType: String, text: String) {
        self.path = path
        self.contentType = contentType
        self.text = text
    }
}

/// What stands where a page can't: a title and what a person can do.
public struct ErrorNotice: Hashable, Sendable {
    public var status: Int
    public var title: String
    public var sentence: String
}

/// All that a server serves.
public struct Site: Sendable {
    public var pages: [ServedPage]
    public var files: [ServedFile]
    public var errorPage: @Sendable (ErrorNotice) -> String

    /// Pages and files by their addresses, and the page that tells of an error.
    public init(
        pages: [ServedPage], files: [ServedFile] = [],
        errorPage: @escaping @Sendable (ErrorNotice) -> String = { $0.plainPage }
    ) {
        self.pages = pages
        self.files = files
        self.errorPage = errorPage
    }

    /// The pages of a path, one for each verb, and the name behind it.
    func pages(at path: String) -> (pages: [ServedPage], name: String?) {
        let exact = pages.filter { $0.path == path }
        if !exact.isEmpty { return (exact, nil) }
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
            return ([], nil)
        }
        let name = String(path[path.index(after: slash)...])
        let found = pages.filter { $0.reach == .pathAndName && $0.path == path[..<slash] }
        return name.isEmpty ? (found, nil) : (found, name)
    }
}

extension PageJSON {
    /// ``data(_:)`` as a line.
    static func text(_ value: some Encodable) throws -> String {
        String(decoding: try data(value), as: UTF8.self) + "\n"
    }
}

extension ErrorNotice {
    /// A page that needs nothing of the others.
    public var plainPage: String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>\(title.escapedForMarkup)</title>
        <link rel="stylesheet" href="/style.css">
        </head>
        <body>
        <main>
        <h1>\(title.escapedForMarkup)</h1>
        <p>\(sentence.escapedForMarkup)</p>
        </main>
        </body>
        </html>

        """
    }
}

extension String {
    var escapedForMarkup: String {
        var text = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
