import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine

extension CardsPage: HTMLPage {
    /// Returns the page as HTML.
    ///
    /// - Parameter frame: The elements that all pages share.
    /// - Returns: The HTML document.
    package func html(_ frame: PageFrame) -> String {
        let rows = shown.map { row -> HTML in
            """
            <tr><th scope="row">\(row.title)</th>\
            <td>\(button("up", row, "Up"))</td><td>\(button("down", row, "Down"))</td>\
            <td>\(button("hide", row, "Hide"))</td></tr>

            """
        }
        let options = hidden.map { row -> HTML in
            "<option value=\"\(row.name)\">\(row.title)</option>"
        }
        let adding: HTML =
            hidden.isEmpty
            ? .empty
            : """
            <form class="line" action="\(Self.path)" method="post">\(key(frame))\
            <div><label for="show">Another card</label><select id="show" name="show">\(options)</select>\
            </div><button type="submit">Add</button></form>
            """
        let main: HTML = """
            <section class="card"><form action="\(Self.path)" method="post">\(key(frame))\
            <div class="scroll"><table><thead><tr><th scope="col">Card</th><th scope="col" colspan="2">Order</th>\
            <th scope="col">Shown</th></tr></thead><tbody>\(rows)</tbody></table></div></form></section>
            \(adding)
            <form action="\(Self.path)" method="post">\(key(frame))\
            <button name="standard" value="1">Back to the standard cards</button></form>
            <p><a href="/">Summary</a></p>

            """
        return frame.document(self, calendar: Calendar.ofPage(in: timeZone), main)
    }

    private func key(_ frame: PageFrame) -> HTML {
        "<input type=\"hidden\" name=\"csrf\" value=\"\(frame.formKey)\"/>"
    }

    private func button(_ name: HTML, _ row: Row, _ words: HTML) -> HTML {
        """
        <button name="\(name)" value="\(row.name)" aria-label="\(words): \(row.title)">\(words)</button>
        """
    }
}
