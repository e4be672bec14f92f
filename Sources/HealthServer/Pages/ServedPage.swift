import Foundation
import HealthDashboard

/// A route of the server: a path, a method and the function that responds to it.
package struct ServedPage: Sendable {
    /// The paths that a route matches.
    package enum PathMatching: Sendable {
        /// The path alone, such as "/sleep".
        case path
        /// The path, and the path followed by a name, such as "/workouts" and "/workouts/0C9A…".
        case pathAndName
    }

    /// The HTTP method of a request.
    package enum Method: Sendable {
        /// A request for a page, with GET or HEAD.
        case get
        /// A submitted form, which may change something.
        case post
    }

    enum Format { case html, json }

    let path: String
    let matching: PathMatching
    let verb: Method
    let body: @Sendable (PageQuery, Format) async throws -> Body
    /// How numbers and dates of the page are written, for a request.
    private(set) var settings: @Sendable (PageQuery) -> PageSettings = { _ in PageSettings() }

    enum Body {
        case content(String)
        /// A redirect to another address, for example after a form.
        case redirect(String)
    }

    /// Creates a page that is sent as HTML or JSON. JSON has ISO 8601 dates and sorted keys.
    ///
    /// - Parameters:
    ///   - path: The page's path.
    ///   - matching: The paths that the page matches.
    ///   - verb: The HTTP method.
    ///   - compose: Returns the page's value. Errors of the types ``PageError``, `Unavailability`,
    ///     `StoreError` and `CalendarError` give a matching status; others give status 500.
    ///   - html: Formats the value as HTML. The request contains the form key for forms.
    package init<Value: Encodable & Sendable>(
        at path: String, _ matching: PathMatching = .path, verb: Method = .get,
        compose: @escaping @Sendable (PageQuery) async throws -> Value,
        html: @escaping @Sendable (Value, PageQuery) -> String
    ) {
        self.path = path
        self.matching = matching
        self.verb = verb
        body = { query, format in
            let value = try await compose(query)
            switch format {
            case .html: return .content(html(value, query))
            case .json: return .content(try PageJSON.text(value))
            }
        }
    }

    /// Returns the page with numbers and dates that are written as its reader chooses. JSON is the same
    /// for all readers.
    func reading(_ settings: @escaping @Sendable (PageQuery) -> PageSettings) -> ServedPage {
        var page = self
        page.settings = settings
        return page
    }

    /// Returns the page's body as a request's reader reads it.
    func body(for query: PageQuery, _ format: Format) async throws -> Body {
        let settings = format == .html ? settings(query) : PageSettings()
        return try await PageSettings.$current.withValue(settings) {
            try await body(query, format)
        }
    }

    /// Creates the redirect of an address of earlier versions, with its query.
    ///
    /// - Parameters:
    ///   - path: The earlier path.
    ///   - target: The path of the page.
    package init(moved path: String, to target: String) {
        self.path = path
        matching = .path
        verb = .get
        body = { query, format in
            let fields = query.query.map {
                "\(FormText.encoded($0.name))=\(FormText.encoded($0.value))"
            }
            let address = format == .json ? target + ".json" : target
            return .redirect(
                fields.isEmpty ? address : "\(address)?\(fields.joined(separator: "&"))")
        }
    }

    /// Creates a form handler, which accepts only POST and responds with a redirect.
    ///
    /// - Parameters:
    ///   - path: The form's path.
    ///   - action: Handles the form and returns the address to redirect to, such as
    ///     "/why?metric=stepCount".
    package init(
        form path: String, action: @escaping @Sendable (PageQuery) async throws -> String
    ) {
        self.path = path
        matching = .path
        verb = .post
        body = { query, _ in .redirect(try await action(query)) }
    }
}

/// A static file without personal data: the stylesheet or the script.
package struct ServedFile: Sendable {
    /// The address of the file.
    package var path: String
    /// The MIME type, with its character set.
    package var contentType: String
    /// The contents.
    package var text: String

    package init(path: String, contentType: String, text: String) {
        self.path = path
        self.contentType = contentType
        self.text = text
    }
}

/// The contents of an error page.
package struct ErrorNotice: Hashable, Sendable {
    /// The HTTP status code.
    package var status: Int
    /// The heading.
    package var title: String
    /// What happened and what to do, without any health value, as plain text.
    package var sentence: String
}

/// Everything that a server serves.
package struct Site: Sendable {
    /// The pages and form handlers.
    package var pages: [ServedPage]
    /// The static files.
    package var files: [ServedFile]
    /// Formats an error page as HTML.
    package var errorPage: @Sendable (ErrorNotice) -> String

    /// Creates a site.
    ///
    /// - Parameters:
    ///   - pages: The pages and form handlers. Of several with the same path and method, the first
    ///     is used.
    ///   - files: The static files, which need no session.
    ///   - errorPage: Formats an error page as HTML.
    package init(
        pages: [ServedPage], files: [ServedFile] = [],
        errorPage: @escaping @Sendable (ErrorNotice) -> String = { $0.plainPage }
    ) {
        self.pages = pages
        self.files = files
        self.errorPage = errorPage
    }

    /// Returns the pages and form handlers at a path. If there are none, those of the parent path
    /// that also match a name after it.
    func pages(at path: String) -> [ServedPage] {
        let exact = pages.filter { $0.path == path }
        guard exact.isEmpty, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
            return exact
        }
        return pages.filter { $0.matching == .pathAndName && $0.path == path[..<slash] }
    }
}

extension PageJSON {
    /// Returns ``data(_:)`` as text, with a newline at the end.
    static func text(_ value: some Encodable) throws -> String {
        String(decoding: try data(value), as: UTF8.self) + "\n"
    }
}

extension ErrorNotice {
    /// A minimal HTML page with the message and a link to the stylesheet "/style.css".
    package var plainPage: String {
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
