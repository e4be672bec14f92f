#if People
    import HealthCalendar
    import HealthPeople
    import HealthStorage
    import Foundation

    /// Who read and wrote a person's data, as a page and as JSON.
    struct AccessList {
        static let pagePath = PageFrame.accessesPath
        static let apiPath = "/v1/accesses"
        /// The number of lines.
        static let limit = 1_000

        private let accesses: [AccessRecord]
        private let calendar = CalendarBuckets(timeZone: .gmt)

        init(_ accesses: [AccessRecord]) { self.accesses = accesses }

        var json: JSONText {
            .object([
                "accesses": .array(
                    accesses.map { access in
                        .object([
                            "time": .string(calendar.text(access.at)),
                            "actor": .string(access.actor),
                            "action": .string(access.action.rawValue),
                            "subject": .string(access.subject), "days": .text(access.days),
                            "origin": .text(access.origin), "status": .integer(access.result),
                        ])
                    })
            ])
        }

        var html: String {
            let rows = accesses.map { access in
                let cells = [
                    calendar.text(access.at), access.actor, access.action.rawValue, access.subject,
                    access.days ?? "", access.origin ?? "", String(access.result),
                ]
                return "<tr>" + cells.map { "<td>\($0.escapedForMarkup)</td>" }.joined() + "</tr>"
            }.joined(separator: "\n")
            return PeoplePage.html(
                title: "Who has read my data",
                """
                <h1>Who has read my data</h1>
                <p><a href="/">Back to my data</a></p>
                <p>The last \(AccessList.limit) accesses, the newest first. Times are in UTC.</p>
                <table>
                <thead><tr><th>Time</th><th>Who</th><th>Action</th><th>Data</th><th>Days</th>\
                <th>From</th><th>Status</th></tr></thead>
                <tbody>
                \(rows)
                </tbody>
                </table>
                <form method="post" action="\(LoginPage.path)">
                <button name="logout" value="1">Log out</button>
                </form>
                """)
        }
    }

    /// The page on which a person enters the token.
    enum LoginPage {
        static let path = "/login"

        /// What the last attempt was.
        enum Attempt { case none, wrong }

        static func html(after attempt: Attempt) -> String {
            PeoplePage.html(
                title: "Log in",
                """
                <h1>Log in</h1>
                \(attempt == .wrong ? "<p role=\"alert\">The token is unknown or revoked.</p>" : "")
                <form method="post" action="\(path)">
                <p><label for="token">Your token</label><br>
                <input id="token" name="token" type="password" autocomplete="current-password" required></p>
                <p><button>Log in</button></p>
                </form>
                """)
        }
    }

    /// The frame of pages that belong to no store.
    enum PeoplePage {
        static func html(title: String, _ body: String) -> String {
            """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="referrer" content="no-referrer">
            <title>\(title)</title>
            <link rel="stylesheet" href="\(Stylesheet.path)">
            </head>
            <body>
            <main>
            \(body)
            </main>
            </body>
            </html>

            """
        }
    }
#endif
