/// Why an upload of an export is refused or ends early.
struct UploadRefusal: Error, Hashable {
    /// The HTTP status.
    var status: Int
    /// What happened and what to do.
    var sentence: String

    private init(_ status: Int, _ sentence: String) {
        self.status = status
        self.sentence = sentence
    }

    /// The heading of all refusals.
    static let title = "Nothing was imported"

    static let busy = UploadRefusal(
        409, "Another import is in progress. Wait until it has finished, or cancel it.")
    static let busyElsewhere = UploadRefusal(
        409,
        "Another program is importing into this store. Try again when it has finished.")
    static let cancelled = UploadRefusal(409, "Stopped. Nothing was imported.")
    static let noLength = UploadRefusal(
        411, "The request doesn’t say how long it is. Use the form of the page Import.")
    static let incomplete = UploadRefusal(
        400, "The upload ended before the file was complete. Try again.")
    static let noFile = UploadRefusal(400, "The form has no file. Choose export.zip.")
    static let notAForm = UploadRefusal(
        400, "The request is not an upload of these pages. Reload the page and try again.")
    static let diskFull = UploadRefusal(
        507, "There isn’t enough space on the disk for this file. Free some and try again.")

    /// The refusal of a file above a limit in bytes.
    static func tooLarge(limit: Int) -> UploadRefusal {
        UploadRefusal(
            413,
            "The file is larger than \(SizeText.text(Int64(limit))), which is more than a browser "
                + "can send. Import it with: openhealth import export.zip")
    }
}
