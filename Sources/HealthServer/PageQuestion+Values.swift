import Foundation
import HealthEngine

// What the fields of an address or a form say, as the pages of a store need it.
extension PageQuestion {
    /// The identifiers of an order, the winner first: "order=a,b".
    var order: [String] {
        (self["order"] ?? "").split(separator: ",").map(String.init)
    }

    /// Every value of a name that isn't empty, of the form if it has one.
    func all(_ name: String) -> [String] {
        let fields = form.contains { $0.name == name } ? form : query
        return fields.filter { $0.name == name && !$0.value.isEmpty }.map(\.value)
    }

    /// Days with what the Health app shows: "on=2024-03-10&shows=8432", once for each.
    var typed: WhyPage.Typed {
        let fields = form.isEmpty ? query : form
        func values(_ name: String) -> [String] {
            fields.filter { $0.name == name }.map(\.value)
        }
        return WhyPage.Typed(days: values("on"), amounts: values("shows"))
    }

    /// A moment in reference seconds, as ``WorkoutsPage/older`` has it.
    func moment(_ name: String) throws -> Date? {
        guard let text = self[name] else { return nil }
        guard let seconds = Double(text), abs(seconds) < 1e11 else {
            throw PageError.badQuestion(
                "“\(text.prefix(40))” is no moment; follow the link below the list.")
        }
        return Date(timeIntervalSinceReferenceDate: seconds)
    }

    func day(_ name: String) throws -> CivilDate? {
        guard let text = self[name] else { return nil }
        do {
            return try CivilDate(asked: text)
        } catch {
            throw PageError.badQuestion("“\(text.prefix(40))” \(error.words)")
        }
    }

    func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String, of type: Choice.Type
    ) throws -> Choice? where Choice.RawValue == String {
        guard let text = self[name] else { return nil }
        guard let choice = Choice(rawValue: text) else {
            let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw PageError.badQuestion("“\(text.prefix(40))” is none of \(names).")
        }
        return choice
    }
}
