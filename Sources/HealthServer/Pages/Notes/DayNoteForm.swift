import HealthEngine
import HealthStorage

/// The form for the note of a day, as a section of a page.
struct DayNoteForm {
    let day: CivilDate
    /// The note; empty for none.
    let text: String
    /// The session's form key.
    let formKey: String
    /// The address of the page with the form, to which the browser returns.
    let returnTo: String

    var html: HTML {
        """
        <section class="card note"><h2>Note on \(PageDateText.short(day))</h2>\
        <form action="\(NotesPage.path)" method="post">\
        <input type="hidden" name="csrf" value="\(formKey)"/>\
        <input type="hidden" name="day" value="\(day.description)"/>\
        <input type="hidden" name="back" value="\(returnTo)"/>\
        <label for="note">Note</label>\
        <textarea id="note" name="text" rows="3" maxlength="\(DayNote.maximumLength)">\
        \(text)</textarea><p><button type="submit">Save note</button></p></form>\
        <p class="small">Charts show it. An empty note is removed. \
        <a href="\(NotesPage.path)">All notes</a></p></section>

        """
    }

    /// The maximum number of bytes of an address to return to.
    private static let maximumAddressLength = 2_000

    /// Returns the address to which a submitted form returns: a path of this site.
    ///
    /// - Parameter text: The form's field; nil for none, which returns to the list of notes.
    /// - Throws: ``PageError`` for an address of another site. Browsers read "//" and "/\" as the
    ///   beginning of a host, and ignore control characters between the slashes.
    static func returnAddress(_ text: String?) throws -> String {
        guard let text else { return NotesPage.path }
        let bytes = Array(text.utf8)
        let isPath =
            bytes.first == UInt8(ascii: "/")
            && !bytes.dropFirst().starts(with: [UInt8(ascii: "/")])
            && bytes.count <= maximumAddressLength
            && bytes.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }
        guard isPath else {
            throw PageError.badRequest("The form doesn’t return to a page of this site.")
        }
        return text
    }
}
