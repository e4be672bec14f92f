import Foundation
import HealthEngine

/// A parsed request for a page: the components of its address and form.
package struct PageQuery: Hashable, Sendable {
    /// The page's own path, such as "/workouts".
    package var path: String
    /// The path component after the page's path, such as "0C9A…" in "/workouts/0C9A…"; nil if there
    /// is none.
    package var name: String?
    /// The decoded query fields, in order.
    package var query: [Field]
    /// The decoded fields of a submitted form, in order, without the form key; empty without a
    /// form.
    package var form: [Field]
    /// The session's form key (CSRF token), which forms send in the field `csrf`.
    package var formKey: String
    /// The languages that the browser prefers, as in the header `Accept-Language`; empty if they
    /// are unknown.
    package var languages: String

    /// A field of a query or form.
    package struct Field: Hashable, Sendable {
        /// The decoded name.
        package var name: String
        /// The decoded value.
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    package init(
        path: String, name: String? = nil, query: [Field] = [], form: [Field] = [],
        formKey: String = "", languages: String = ""
    ) {
        self.path = path
        self.name = name
        self.query = query
        self.form = form
        self.formKey = formKey
        self.languages = languages
    }

    /// Returns the value of the first field with a name. Form fields take precedence over query
    /// fields.
    ///
    /// - Parameter name: The name of the field.
    /// - Returns: The value; nil if it is missing or empty.
    package subscript(name: String) -> String? {
        let value = form.first { $0.name == name } ?? query.first { $0.name == name }
        return value.flatMap { $0.value.isEmpty ? nil : $0.value }
    }
}

/// The reason why a page can't be returned, with a message for the user that contains no health
/// value.
package enum PageError: Error, Hashable, Sendable {
    /// The request is invalid, for example a date that doesn't exist.
    case badRequest(String)
    /// Nothing has this name.
    case notFound(String)
    /// The data can't be read now.
    case unavailable(String)
}

// Typed access to the fields that the pages of a store use.
extension PageQuery {
    /// The identifiers of a source order, highest priority first: "order=a,b".
    var order: [String] {
        (self["order"] ?? "").split(separator: ",").map(String.init)
    }

    /// Returns all non-empty values of a name, in order: from the form if it has a field of the
    /// name, else from the query.
    func all(_ name: String) -> [String] {
        let fields = form.contains { $0.name == name } ? form : query
        return fields.filter { $0.name == name && !$0.value.isEmpty }.map(\.value)
    }

    /// The rows of the calibration form, from pairs of fields such as "on=2024-03-10&shows=8432".
    /// Read from the submitted form if there is one, else from the query.
    var calibrationForm: WhyPage.CalibrationForm {
        let fields = form.isEmpty ? query : form
        func values(_ name: String) -> [String] {
            fields.filter { $0.name == name }.map(\.value)
        }
        return WhyPage.CalibrationForm(days: values("on"), amounts: values("shows"))
    }

    /// Returns a time given in seconds since 2001-01-01T00:00:00Z, like ``WorkoutsPage/older``; nil
    /// if the field is missing or empty.
    ///
    /// - Throws: ``PageError`` if the value isn't a number between -1e11 and 1e11.
    func moment(_ name: String) throws -> Date? {
        guard let text = self[name] else { return nil }
        guard let seconds = Double(text), abs(seconds) < 1e11 else {
            throw PageError.badRequest(
                "“\(text.prefix(40))” is not a time. Use the link below the list.")
        }
        return Date(timeIntervalSinceReferenceDate: seconds)
    }

    /// Returns a day given as "2024-03-10"; nil if the field is missing or empty.
    ///
    /// - Throws: ``PageError`` for an invalid day.
    func day(_ name: String) throws -> CivilDate? {
        guard let text = self[name] else { return nil }
        do {
            return try CivilDate(validating: text)
        } catch {
            throw PageError.badRequest("“\(text.prefix(40))” \(error.reason)")
        }
    }

    /// Returns a value of an enumeration given by its raw value; nil if the field is missing or
    /// empty.
    ///
    /// - Throws: ``PageError`` if there is no such value.
    func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String, of type: Choice.Type
    ) throws -> Choice? where Choice.RawValue == String {
        guard let text = self[name] else { return nil }
        guard let choice = Choice(rawValue: text) else {
            let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw PageError.badRequest("“\(text.prefix(40))” is not one of \(names).")
        }
        return choice
    }
}
