import SwiftSyntax

/// Why a date isn't the start of a day in the user's calendar.
enum AnchorDateProblem: Sendable, Equatable {
    /// The date is computed in UTC.
    case utc
    /// The date is the current time, or some days before it.
    case now
    /// The date is the distant past or future.
    case endless
}

extension Target {
    /// Returns why an anchor date isn't the start of a day in the user's calendar. The result is
    /// nil if it is one, or if that can't be determined.
    func anchorDateProblem(of expression: ExprSyntax) -> AnchorDateProblem? {
        anchorDateProblem(of: expression, depth: 0)
    }

    private func anchorDateProblem(of expression: ExprSyntax, depth: Int) -> AnchorDateProblem? {
        guard depth < 5 else { return nil }
        let origins = origins(of: expression)
        let problems = origins.map { problem(of: $0, depth: depth) }
        // A `?? Date()` fallback after a UTC date doesn't change the result.
        if problems.contains(.utc), !problems.contains(nil) { return .utc }
        guard let first = problems.first, problems.allSatisfy({ $0 == first }) else { return nil }
        return first
    }

    private func problem(of origin: ExprSyntax, depth: Int) -> AnchorDateProblem? {
        if let member = origin.as(MemberAccessExprSyntax.self) {
            return problem(ofMember: member, depth: depth)
        }
        guard let call = origin.as(FunctionCallExprSyntax.self), let name = call.calledName else {
            return nil
        }
        switch name {
        case "Date", "NSDate", "init":
            if call.arguments.isEmpty, call.closures.isEmpty { return .now }
            let label = call.arguments.first?.label?.text
            if label == "timeIntervalSince1970" || label == "timeIntervalSinceReferenceDate" {
                return isArithmetic(call.arguments.first?.expression) ? .utc : nil
            }
            if label == "timeIntervalSinceNow" { return .now }
            return call.argument("strategy")?.bare.as(MemberAccessExprSyntax.self)?.declName
                .baseName.text == "iso8601" ? .utc : nil
        case "addingTimeInterval", "advanced":
            return call.base.flatMap { anchorDateProblem(of: $0, depth: depth + 1) }
        case "startOfDay", "dateInterval": return call.base.flatMap { isUTC($0) ? .utc : nil }
        case "date": return problem(ofDateCall: call, depth: depth)
        default:
            guard let function = function(calledBy: call) else { return nil }
            return problem(ofResults: results(of: function), depth: depth)
        }
    }

    /// Checks `calendar.date(from:)`, `calendar.date(byAdding:value:to:)` and
    /// `formatter.date(from:)`.
    private func problem(ofDateCall call: FunctionCallExprSyntax, depth: Int) -> AnchorDateProblem?
    {
        guard let base = call.base else { return nil }
        if let moment = call.argument("to"), call.argument("byAdding") != nil {
            return anchorDateProblem(of: moment, depth: depth + 1)
        }
        if let source = call.argument("from") {
            if isUTC(base) { return .utc }
            return members(assignedTo: source).contains {
                $0.member == "timeZone" && $0.value.allSatisfy { isUTC(zone: $0) }
            }
                || componentsAreUTC(source) ? .utc : nil
        }
        return call.argument("bySettingHour") != nil && isUTC(base) ? .utc : nil
    }

    private func problem(ofMember member: MemberAccessExprSyntax, depth: Int) -> AnchorDateProblem?
    {
        switch member.declName.baseName.text {
        case "now": return .now
        case "distantPast", "distantFuture": return .endless
        case "start", "date":
            // `calendar.dateInterval(of: .day, for: date)!.start`,
            // `DateComponents(timeZone: …).date`
            guard let base = member.base else { return nil }
            if componentsAreUTC(base) { return .utc }
            let origins = origins(of: base)
            guard origins.count == 1, let call = origins[0].as(FunctionCallExprSyntax.self),
                call.calledName == "dateInterval", let calendar = call.base
            else { return nil }
            return isUTC(calendar) ? .utc : nil
        default: return problem(ofExtension: member, depth: depth)
        }
    }

    /// Checks members that the target adds to `Date`, like `date.utcMidnight`.
    private func problem(ofExtension member: MemberAccessExprSyntax, depth: Int)
        -> AnchorDateProblem?
    {
        guard case .variable(let own, _) = self.member(member.declName.baseName.text, of: "Date"),
            let statements = own.getterStatements
        else { return nil }
        return problem(ofResults: results(of: statements), depth: depth)
    }

    private func problem(ofResults results: [ExprSyntax], depth: Int) -> AnchorDateProblem? {
        let problems = results.map { anchorDateProblem(of: $0, depth: depth + 1) }
        guard let first = problems.first, problems.allSatisfy({ $0 == first }) else { return nil }
        return first
    }

    /// Returns whether seconds are computed here, and not decoded from elsewhere.
    private func isArithmetic(_ seconds: ExprSyntax?) -> Bool {
        guard let seconds else { return false }
        return origins(of: seconds).allSatisfy { origin in
            if origin.is(IntegerLiteralExprSyntax.self) || origin.is(FloatLiteralExprSyntax.self) {
                return true
            }
            let text = origin.shortText?.filter { $0 != "_" && !$0.isWhitespace } ?? ""
            return Self.daysInSeconds.contains { text.contains($0) }
        }
    }

    /// Expressions that divide seconds into days. `milliseconds / 1000` isn't one.
    private static let daysInSeconds = [
        "86400", "24*60*60", "60*60*24", "24*3600", "3600*24", "floor", "rounded",
        "truncatingRemainder",
    ]
}

extension Target {
    /// Returns whether a calendar or a formatter uses UTC.
    func isUTC(_ expression: ExprSyntax) -> Bool {
        let origins = origins(of: expression, calls: .notFollowed)
        guard origins.count == 1 else { return false }
        let zones = zones(setOn: expression)
        if !zones.isEmpty { return zones.allSatisfy { isUTC(zone: $0) } }
        guard let call = origins[0].as(FunctionCallExprSyntax.self) else { return false }
        return call.constructedName == "ISO8601DateFormatter" && call.arguments.isEmpty
    }

    /// Returns the values assigned to `timeZone`, after the variable's declaration or in the
    /// closure or function that creates it.
    private func zones(setOn expression: ExprSyntax) -> [ExprSyntax] {
        let direct = members(assignedTo: expression).filter { $0.member == "timeZone" }.flatMap(
            \.value)
        if !direct.isEmpty { return direct }
        return makers(of: expression).flatMap { body in
            body.all(SequenceExprSyntax.self).compactMap { node -> ExprSyntax? in
                guard let assignment = Assignment(node),
                    let member = assignment.target.as(MemberAccessExprSyntax.self),
                    member.declName.baseName.text == "timeZone"
                else { return nil }
                return assignment.firstChoice
            }
        }
    }

    /// Returns the bodies that create a value: an initial `{ … }()`, a getter or a function.
    func makers(of expression: ExprSyntax) -> [Syntax] {
        let bare = expression.bare
        let callee = bare.as(FunctionCallExprSyntax.self)?.calledExpression.bare
        let named = callee ?? bare
        let found: Binding?
        if let name = named.ownName {
            found = binding(name, at: bare)
        } else if let member = named.as(MemberAccessExprSyntax.self),
            let type = member.base?.bare.as(DeclReferenceExprSyntax.self)?.baseName.text
        {
            found = self.member(member.declName.baseName.text, of: type)
        } else {
            found = nil
        }
        switch found {
        case .variable(let binding, _):
            if let block = binding.accessorBlock { return [Syntax(block)] }
            let call = binding.initializer?.value.bare.as(FunctionCallExprSyntax.self)
            return [call?.calledExpression.bare.as(ClosureExprSyntax.self)].compactMap { $0 }
                .map { Syntax($0) }
        case .function(let function): return [function.body].compactMap { $0 }.map { Syntax($0) }
        default: return []
        }
    }

    /// `DateComponents(calendar: …, timeZone: utc, year: 2020 …)`.
    private func componentsAreUTC(_ expression: ExprSyntax) -> Bool {
        let origins = origins(of: expression)
        guard origins.count == 1, let call = origins[0].as(FunctionCallExprSyntax.self),
            call.constructedName == "DateComponents", let zone = call.argument("timeZone")
        else { return false }
        return isUTC(zone: zone)
    }

    func isUTC(zone expression: ExprSyntax, depth: Int = 0) -> Bool {
        // `TimeZone(identifier: "UTC") ?? .current`: the fallback is never used.
        let parts = expression.bare.as(SequenceExprSyntax.self).map { Array($0.elements) } ?? []
        let isFallback =
            parts.count > 1
            && parts[1].as(BinaryOperatorExprSyntax.self)?
                .operator.text == "??"
        let origins = origins(of: isFallback ? parts[0] : expression)
        return !origins.isEmpty
            && origins.allSatisfy { origin in
                if let member = origin.as(MemberAccessExprSyntax.self) {
                    let name = member.declName.baseName.text
                    if let value = extensionMember(origin, of: ["TimeZone"]) {
                        return depth < 4 && isUTC(zone: value, depth: depth + 1)
                    }
                    return ["gmt", "utc", "UTC"].contains(name)
                }
                guard let call = origin.as(FunctionCallExprSyntax.self),
                    ["TimeZone", "NSTimeZone", "init"].contains(call.calledName)
                else { return false }
                if let seconds = call.argument("secondsFromGMT")
                    ?? call.argument("forSecondsFromGMT")
                {
                    return integer(seconds) == 0
                }
                let name = call.argument("identifier") ?? call.argument("abbreviation")
                return ["UTC", "GMT", "Etc/UTC", "Etc/GMT", "Zulu", "Z"]
                    .contains(name?.bare.plainString ?? "")
            }
    }
}
