import SwiftSyntax

/// How a date is written as text in GMT.
struct DayFormat {
    /// Whether the time of day is left out.
    let isDateOnly: Bool
}

extension Target {
    /// Returns how a formatter writes dates, if it does in GMT: `ISO8601DateFormatter` unless its
    /// time zone is set, `DateFormatter` if it is set to GMT.
    func format(of formatter: ExprSyntax) -> DayFormat? {
        let origins = origins(of: formatter)
        guard origins.count == 1, let made = origins[0].as(FunctionCallExprSyntax.self) else {
            return nil
        }
        let settings = settings(of: formatter)
        let zones = settings.filter { $0.member == "timeZone" }.flatMap(\.value)
        guard zones.allSatisfy({ isUTC(zone: $0) }) else { return nil }
        switch made.constructedName {
        case "ISO8601DateFormatter":
            let options = settings.filter { $0.member == "formatOptions" }.flatMap(\.value)
            return DayFormat(
                isDateOnly: options.count == 1 && isDateOnly(options: options[0]))
        case "DateFormatter" where !zones.isEmpty:
            return DayFormat(isDateOnly: isDateOnly(settings))
        default: return nil
        }
    }

    /// Returns how a format style writes dates, if it does in GMT: `.iso8601.year().month().day()`.
    func format(ofStyle style: ExprSyntax) -> DayFormat? {
        guard let text = style.shortText?.lowercased(), text.contains("iso8601") else { return nil }
        let isChosen = text.contains("timezone:")
        guard !isChosen || text.contains(".gmt") || text.contains("secondsfromgmt: 0") else {
            return nil
        }
        return DayFormat(
            isDateOnly: text.contains(".day()") && !text.contains(".time("))
    }

    /// Returns whether the options of an ISO 8601 formatter leave out the time.
    func isDateOnly(options: ExprSyntax) -> Bool {
        let names = options.all(MemberAccessExprSyntax.self).map(\.declName.baseName.text)
        return !Set(names).isDisjoint(with: ["withFullDate", "withDay"])
            && !names.contains { $0.contains("Time") }
    }

    private func isDateOnly(_ settings: [(member: String, value: [ExprSyntax])]) -> Bool {
        let formats = settings.filter { $0.member == "dateFormat" }.flatMap(\.value)
            .flatMap { origins(of: $0) }
        guard !formats.isEmpty else { return false }
        return formats.allSatisfy { value in
            guard let format = value.plainString else { return false }
            let quoted = format.split(separator: "'", omittingEmptySubsequences: false)
            let letters = stride(from: 0, to: quoted.count, by: 2).map { quoted[$0] }.joined()
            return letters.contains("d") && !letters.contains { "HhKkjJ".contains($0) }
        }
    }

    /// Returns the members set on a formatter, after its construction or in the code that makes it.
    private func settings(of formatter: ExprSyntax) -> [(member: String, value: [ExprSyntax])] {
        let bodies = makers(of: formatter)
        let made = bodies.flatMap { $0.all(SequenceExprSyntax.self).compactMap { Assignment($0) } }
        var all = made
        if let name = formatter.bare.ownName, case .variable(let own, _) = binding(of: formatter),
            let file = file(of: formatter)
        {
            all += file.uses.assignments.filter { assignment in
                guard let base = assignment.target.as(MemberAccessExprSyntax.self)?.base,
                    base.bare.ownName == name, case .variable(let other, _) = binding(of: base)
                else { return false }
                return other.id == own.id
            }
        }
        return all.compactMap { assignment in
            guard let member = assignment.target.as(MemberAccessExprSyntax.self) else { return nil }
            let value = assignment.firstChoice.map { [$0] } ?? assignment.value
            return (member.declName.baseName.text, value)
        }
    }
}
