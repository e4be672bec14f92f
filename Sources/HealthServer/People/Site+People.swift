#if People
    extension Site {
        /// The pages of a server of many people that belong to no person: a style sheet, a script
        /// and messages.
        static let ofPeople = Site(
            pages: [],
            files: [
                ServedFile(
                    path: Stylesheet.path, contentType: "text/css; charset=utf-8",
                    text: Stylesheet.text),
                ServedFile(
                    path: Script.path, contentType: "text/javascript; charset=utf-8",
                    text: Script.text),
            ],
            errorPage: { notice in
                PeoplePage.html(
                    title: notice.title,
                    "<h1>\(notice.title.escapedForMarkup)</h1>\n<p>\(notice.sentence.escapedForMarkup)</p>"
                )
            })
    }
#endif
