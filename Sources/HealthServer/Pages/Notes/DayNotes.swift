import HealthStorage

/// What a page shows that isn't part of its value: notes, the form of the note of its day, and details of a
/// type.
struct DayNotes {
    var all: [DayNote] = []
    var form = HTML.empty
    var details = HTML.empty
}
