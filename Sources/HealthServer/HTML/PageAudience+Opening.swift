extension PageAudience {
    /// Returns what a page begins with: whose data it shows, if the owner of the store has several.
    ///
    /// - Parameter formKey: The session's form key.
    /// - Returns: A notice on sample data, a link to the choice of a person, or nothing.
    func opening(formKey: String) -> HTML {
        guard case .owner(_, let shown) = self else { return .empty }
        switch shown {
        case .onlyPerson: return .empty
        case .person(let name):
            let person: HTML =
                if let name { "\(name: name)" } else { "\(PersonsPage.unnamed)" }
            return """
                <p class="who small">Person: \(person) · \
                <a href="\(PersonsPage.path)">Switch</a></p>

                """
        case .sampleData:
            return """
                <div class="notice row"><p><b>Sample data: a simulated person.</b> These are nobody’s \
                numbers.</p>\
                <form action="\(PersonsPage.path)" method="post">\
                <input type="hidden" name="csrf" value="\(formKey)"/>\
                <button name="\(PersonsPage.field)" value="">Back to your own data</button></form>\
                <form action="\(SamplePage.removalPath)" method="post">\
                <input type="hidden" name="csrf" value="\(formKey)"/>\
                <button class="second">Remove the sample data</button></form></div>

                """
        }
    }
}
