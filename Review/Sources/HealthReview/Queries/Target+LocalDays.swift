import SwiftSyntax

/// Whether a date belongs to the person's calendar.
enum LocalDate: Sendable, Comparable {
    case unknown
    /// The moment of a sample.
    case moment
    /// The start of a day in the person's calendar.
    case day
}

extension Target {
    /// Returns whether a date begins a day of the person's calendar, or is the moment of a sample.
    /// Parameters, members of constructed values and extensions of `Date` are followed.
    func localDate(of expression: ExprSyntax) -> LocalDate {
        var pending = [expression]
        var visited: Set<SyntaxIdentifier> = []
        var found = LocalDate.unknown
        while let next = pending.popLast(), visited.count < 60 {
            for origin in origins(of: next) where visited.insert(origin.id).inserted {
                if let call = origin.as(FunctionCallExprSyntax.self) {
                    found = max(found, beginsDay(call) ? .day : .unknown)
                    pending += movedDate(by: call)
                } else if let member = origin.as(MemberAccessExprSyntax.self) {
                    found = max(found, localDate(ofMember: member))
                    pending += madeValues(for: member)
                } else {
                    pending += passedDates(for: origin)
                }
            }
        }
        return found
    }

    /// Returns whether a call is `calendar.startOfDay(for: date)`, in a calendar other than UTC's.
    private func beginsDay(_ call: FunctionCallExprSyntax) -> Bool {
        call.calledName == "startOfDay" && call.base.map { !isUTC($0) } ?? true
    }

    /// Returns the date that `calendar.date(byAdding: .day, value: 1, to: day)` moves.
    private func movedDate(by call: FunctionCallExprSyntax) -> [ExprSyntax] {
        guard call.calledName == "date", call.argument("byAdding") != nil else { return [] }
        return [call.argument("to")].compactMap { $0 }
    }

    private func localDate(ofMember member: MemberAccessExprSyntax) -> LocalDate {
        guard let base = member.base else { return .unknown }
        switch member.declName.baseName.text {
        case "startDate": return isStatistics(base) ? (hasBucketsOfUTC ? .unknown : .day) : .moment
        case "endDate": return isStatistics(base) ? .unknown : .moment
        case "start":
            let call = origins(of: base).first?.as(FunctionCallExprSyntax.self)
            guard call?.calledName == "dateInterval", let calendar = call?.base else {
                return .unknown
            }
            return isUTC(calendar) ? .unknown : .day
        default: return .unknown
        }
    }

    /// Returns whether a value is a bucket of a collection.
    private func isStatistics(_ expression: ExprSyntax) -> Bool {
        let bare = expression.bare
        if typeName(of: bare) == "HKStatistics" { return true }
        if case .closureParameter(let closure, 0) = binding(of: bare),
            closure.receivingCall?.calledName == "enumerateStatistics"
        {
            return true
        }
        return collection(of: bare)?.all(DeclReferenceExprSyntax.self).contains {
            $0.baseName.text == "statistics"
        } ?? false
    }

    /// Whether a collection of the target has days of UTC on purpose or by mistake.
    private var hasBucketsOfUTC: Bool {
        (index.calls["HKStatisticsCollectionQuery"] ?? []).contains { call in
            call.argument("anchorDate").map { anchorDateProblem(of: $0) == .utc } ?? false
        }
    }

    /// Returns what the target passes as `day` to the constructions of values with a member `day`,
    /// if it is the same in all: `DayTotal(day: statistics.startDate)` for `total.day`.
    private func madeValues(for member: MemberAccessExprSyntax) -> [ExprSyntax] {
        let name = member.declName.baseName.text
        guard let base = member.base, !["startDate", "endDate"].contains(name),
            let type = typeName(of: base) ?? onlyType(with: name)
        else { return [] }
        return (index.calls[type] ?? []).compactMap { $0.argument(name) }
    }

    /// Returns the only type of the target that has a stored member of a name.
    private func onlyType(with member: String) -> String? {
        let owners = index.storedMemberOwners[member] ?? []
        return owners.count == 1 ? owners[0] : nil
    }

    /// Returns the arguments for a parameter, or the values that `self` is in an extension of
    /// `Date`.
    private func passedDates(for name: ExprSyntax) -> [ExprSyntax] {
        if case .parameter(let parameter) = binding(of: name), let function = parameter.function {
            return calls(of: function).compactMap { $0.argument(for: parameter) }
        }
        guard name.isOwn, name.enclosingTypeName == "Date" else { return [] }
        if let function = name.enclosing(FunctionDeclSyntax.self) {
            return (index.calls[function.name.text] ?? []).compactMap(\.base)
        }
        guard
            let variable = name.enclosing(MemberBlockItemSyntax.self)?.decl
                .as(VariableDeclSyntax.self)?.bindings.first?.boundName
        else { return [] }
        return files.filter { $0.uses.names.contains(variable) }.flatMap { file in
            file.uses.memberAccesses.filter { $0.declName.baseName.text == variable }
                .compactMap(\.base)
        }
    }
}
