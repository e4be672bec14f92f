/// The parts that the pages Import and First visit share: how to export, and where to drop the
/// file.
enum ImportForms {
    /// The steps from the phone to this page.
    static let steps: HTML = """
        <ol class="steps">
        <li><b>On the iPhone</b>, open the Health app and tap your picture.</li>
        <li>Tap <b>Export All Health Data</b>. After a few minutes the phone offers export.zip.</li>
        <li><b>Send export.zip to this computer</b>, for example with AirDrop or a cable, and drop \
        it here.</li>
        </ol>

        """

    /// The form for an export. The script shows the progress and accepts a dropped file; without
    /// it, the browser sends the form.
    ///
    /// - Parameters:
    ///   - formKey: The session's form key.
    ///   - maximumBytes: The maximum size of a file.
    static func dropArea(formKey: String, maximumBytes: Int) -> HTML {
        """
        <form class="drop" action="\(ImportPage.path)" method="post" \
        enctype="multipart/form-data" data-maximum="\(maximumBytes)">\
        <input type="hidden" name="csrf" value="\(formKey)"/>\
        <label for="export">Drop export.zip here, or choose it</label>\
        <input id="export" type="file" name="export" accept=".zip,.xml" required="required"/>\
        <button type="submit" class="act">Import</button>\
        <progress max="100" value="0" aria-label="Upload" hidden="hidden"></progress>\
        <output class="readout" aria-live="polite"></output>\
        <button type="button" class="stop" hidden="hidden">Cancel</button></form>
        <p class="small">The file stays on this computer. It is deleted after the import.</p>

        """
    }

    /// The script of the two pages.
    static let script: HTML = "<script src=\"\(ImportScript.path)\" defer=\"defer\"></script>\n"

    /// A form with one button.
    ///
    /// - Parameters:
    ///   - path: The address of the form.
    ///   - words: The words on the button.
    ///   - formKey: The session's form key.
    ///   - fields: Hidden fields.
    static func button(
        _ path: String, _ words: String, formKey: String,
        fields: [(name: String, value: String)] = []
    ) -> HTML {
        let hidden = fields.map { field -> HTML in
            "<input type=\"hidden\" name=\"\(field.name)\" value=\"\(field.value)\"/>"
        }
        return """
            <form action="\(path)" method="post">\
            <input type="hidden" name="csrf" value="\(formKey)"/>\(hidden)\
            <button>\(words)</button></form>
            """
    }
}
