import SwiftSyntax

/// Reports a workout's time that counts pauses: its end minus its start, or a clock since the
/// start of a workout that can be paused.
struct WorkoutPauses: Rule {
    let name = "workout-pauses"
    let summary = "a workout's time that includes its pauses"
    let severity = Severity.warning

    func review(_ target: Target, _ report: inout Report) {
        guard target.files.contains(where: \.importsHealthKit) else { return }
        let clocks = PausedClocks(target)
        for file in target.files where file.uses.names.contains("startDate") || clocks.areThere {
            for span in spans(in: file, target) {
                if isWhole(span, target), !isMeasured(span.node, target) {
                    report.add(
                        "pauses count as training: use the workout's `duration`, which leaves "
                            + "them out", at: span.node, in: file)
                } else if clocks.contains(span) {
                    report.add(
                        "the time runs on during pauses: use the builder's `elapsedTime`",
                        at: span.node, in: file)
                }
            }
        }
    }

    /// Returns the times between two dates that a file computes.
    private func spans(in file: SourceFile, _ target: Target) -> [DateSpan] {
        var spans: [DateSpan] = []
        for call in file.uses.callsByName["timeIntervalSince"] ?? [] {
            if let start = call.unlabelledArgument(0) {
                spans.append(DateSpan(node: Syntax(call), start: start, end: call.base))
            }
        }
        for call in file.uses.callsByName["distance"] ?? [] {
            if let end = call.argument("to"), let start = call.base {
                spans.append(DateSpan(node: Syntax(call), start: start, end: end))
            }
        }
        for call in file.uses.callsByName["dateComponents"] ?? [] {
            if let start = call.argument("from"), let end = call.argument("to") {
                spans.append(DateSpan(node: Syntax(call), start: start, end: end))
            }
        }
        for call in file.uses.callsByName["DateInterval"] ?? [] {
            if let start = call.argument("start"), let end = call.argument("end"),
                Syntax(call).accessedMember == "duration"
            {
                spans.append(DateSpan(node: Syntax(call), start: start, end: end))
            }
        }
        for call in file.uses.callsByName["string"] ?? [] {
            if let start = call.argument("from"), let end = call.argument("to"),
                call.base.flatMap({ target.typeName(of: $0) }) == "DateComponentsFormatter"
            {
                spans.append(DateSpan(node: Syntax(call), start: start, end: end))
            }
        }
        for member in file.uses.memberAccesses
        where member.declName.baseName.text == "timeIntervalSinceNow" {
            if let start = member.base {
                spans.append(DateSpan(node: Syntax(member), start: start))
            }
        }
        for name in ["timeIntervalSinceReferenceDate", "timeIntervalSince1970"]
        where file.uses.names.contains(name) {
            for member in file.uses.memberAccesses where member.declName.baseName.text == name {
                if let span = DateSpan(subtractionFrom: member) { spans.append(span) }
            }
        }
        return spans
    }
}

/// A time between two dates.
private struct DateSpan {
    let node: Syntax
    let start: ExprSyntax
    /// The end; nil where it is now by itself.
    let end: ExprSyntax?

    init(node: Syntax, start: ExprSyntax, end: ExprSyntax? = nil) {
        (self.node, self.start, self.end) = (node, start, end)
    }

    /// Creates a span from `end.timeIntervalSince1970 - start.timeIntervalSince1970`.
    init?(subtractionFrom member: MemberAccessExprSyntax) {
        guard let elements = member.parent?.as(ExprListSyntax.self).map({ Array($0) }),
            let place = elements.firstIndex(where: { $0.id == ExprSyntax(member).id }),
            elements.count > place + 2,
            elements[place + 1].as(BinaryOperatorExprSyntax.self)?.operator.text == "-",
            let other = elements[place + 2].bare.as(MemberAccessExprSyntax.self),
            other.declName.baseName.text == member.declName.baseName.text,
            let start = other.base
        else { return nil }
        self.init(node: Syntax(member), start: start, end: member.base)
    }

    /// Whether the end is the present.
    var endsNow: Bool {
        guard let end else { return node.is(MemberAccessExprSyntax.self) }
        let text = end.bare.shortText?.filter { !$0.isWhitespace } ?? ""
        return ["Date()", "Date.now", ".now", "Date.init()", "now"].contains(text)
    }
}

// MARK: - Workouts from the store

extension WorkoutPauses {
    /// Returns whether two dates are the end and the start of one workout.
    private func isWhole(_ span: DateSpan, _ target: Target) -> Bool {
        guard let last = span.end.flatMap({ member($0, "endDate", target) }),
            let first = member(span.start, "startDate", target)
        else { return false }
        guard let workout = last.base, let other = first.base else {
            return last.base == nil && first.base == nil
                && span.node.enclosingType?.isExtension(of: "HKWorkout") == true
        }
        guard workout.shortText == other.shortText else { return false }
        if workout.bare.isOwn {
            return span.node.enclosingType?.isExtension(of: "HKWorkout") == true
        }
        if isWorkout(workout, target) { return true }
        guard let name = workout.bare.ownName else { return false }
        return ["workoutActivityType", "totalEnergyBurned", "totalDistance"].contains {
            workout.enclosingBody.takes($0, of: name)
        }
    }

    /// Returns whether a value is a workout, by its declared type or by a cast.
    private func isWorkout(_ value: ExprSyntax, _ target: Target) -> Bool {
        switch target.binding(of: value) {
        case .element(_, let loop) where loop.pattern.contains("HKWorkout"): return true
        case .unwrapped(let cast) where cast.isCast(to: "HKWorkout"): return true
        case .variable(let binding, _)
        where binding.initializer?.value.isCast(to: "HKWorkout") == true:
            return true
        default: return target.elementTypeName(of: value) == "HKWorkout"
        }
    }

    /// The base of `workout.endDate`; nil for the type's own `endDate`.
    private struct Member {
        let base: ExprSyntax?
    }

    private func member(_ date: ExprSyntax, _ name: String, _ target: Target) -> Member? {
        let bare = date.bare
        if let access = bare.as(MemberAccessExprSyntax.self) {
            return access.declName.baseName.text == name ? Member(base: access.base) : nil
        }
        guard bare.is(DeclReferenceExprSyntax.self) else { return nil }
        if bare.ownName == name, target.binding(of: bare) == nil { return Member(base: nil) }
        let origins = target.origins(of: bare, calls: .notFollowed)
        guard origins.count == 1,
            let access = origins[0].as(MemberAccessExprSyntax.self),
            access.declName.baseName.text == name
        else { return nil }
        return Member(base: access.base)
    }

    /// Returns whether the code knows of pauses or wants the time on the clock: it also takes
    /// `duration` or the events, or names the result so.
    private func isMeasured(_ node: Syntax, _ target: Target) -> Bool {
        let function = node.enclosingFunction
        if function.is(SourceFileSyntax.self) { return false }
        let names = function.all(TokenSyntax.self).map { $0.text.lowercased() }
        if names.contains(where: { $0.contains("paus") || $0 == "workoutevents" }) { return true }
        let durations = function.all(MemberAccessExprSyntax.self).filter {
            $0.declName.baseName.text == "duration" && Syntax($0).id != node.parent?.id
        }
        if durations.contains(where: { member in
            member.base.map { target.elementTypeName(of: $0) == "HKWorkout" } ?? false
        }) {
            return true
        }
        return node.destinations.contains { name in
            !Self.clockWords.isDisjoint(with: name.camelCaseWords)
        }
    }

    private static let clockWords: Set<String> = [
        "elapsed", "wall", "clock", "span", "axis", "width", "range", "window", "offset", "bucket",
        "buckets", "overlap", "gap", "domain", "progress", "margin", "padding", "chart", "stride",
    ]
}

extension ExprSyntax {
    /// Returns whether the value is cast: `sample as? HKWorkout`, `samples?.first as? HKWorkout`.
    fileprivate func isCast(to type: String) -> Bool {
        let casts = self.as(SequenceExprSyntax.self)?.elements.compactMap {
            $0.as(TypeExprSyntax.self)?.type
        }
        return casts?.contains { $0.elementName == type } ?? false
    }
}

extension TypeBlock {
    /// Whether this is an extension of a type.
    fileprivate func isExtension(of type: String) -> Bool { kind == .extension && name == type }
}

extension Syntax {
    /// The names that receive the value: the variable, the label of the argument and the function
    /// or member that computes it.
    fileprivate var destinations: [String] {
        var names: [String] = []
        var node = self
        while let parent = node.parent {
            if let argument = parent.as(LabeledExprSyntax.self), let label = argument.label {
                names.append(label.text)
            } else if let binding = parent.as(PatternBindingSyntax.self) {
                if let name = binding.boundName { names.append(name) }
            } else if let function = parent.as(FunctionDeclSyntax.self) {
                names.append(function.name.text)
                return names
            } else if let sequence = parent.as(SequenceExprSyntax.self),
                let name = Assignment(sequence)?.target.lastName
            {
                names.append(name)
            }
            node = parent
        }
        return names
    }
}

// MARK: - Clocks of live workouts

/// The clocks of a target whose live workout can be paused, and whose code neither asks the builder
/// for its time nor subtracts pauses.
private struct PausedClocks {
    private let target: Target
    /// The types that keep a live workout builder.
    private var types: Set<String> = []

    var areThere: Bool { !types.isEmpty }

    init(_ target: Target) {
        self.target = target
        guard
            target.mentions("HKLiveWorkoutBuilder") || target.mentions("associatedWorkoutBuilder"),
            canPause, !asksBuilder
        else { return }
        let files = target.files.filter { file in
            ["HKLiveWorkoutBuilder", "associatedWorkoutBuilder"]
                .contains { file.uses.names.contains($0) }
        }
        for block in files.flatMap({ $0.declarations.types.values.joined() })
        where block.node.contains("HKLiveWorkoutBuilder")
            || block.node.contains("associatedWorkoutBuilder")
        {
            types.insert(block.name)
        }
        types = types.filter { !subtracts($0) }
    }

    /// Whether the target pauses a workout's session.
    private var canPause: Bool {
        (target.index.calls["pause"] ?? []).contains { call in
            call.base?.bare.lastName?.lowercased().contains("session") == true
        }
    }

    /// Whether the target asks a builder for its time, which it then shows or corrects with.
    private var asksBuilder: Bool {
        target.files.contains { file in
            file.uses.names.contains("elapsedTime")
                && file.uses.memberAccesses.contains { member in
                    member.declName.baseName.text == "elapsedTime"
                        && member.base?.bare.lastName?.lowercased().contains("builder") == true
                }
        }
    }

    /// Returns whether a type's code keeps what it needs to subtract pauses.
    private func subtracts(_ type: String) -> Bool {
        target.types(type).contains { block in
            block.node.all(TokenSyntax.self).contains { token in
                guard case .identifier(let text) = token.tokenKind else { return false }
                let words = text.camelCaseWords
                if words.contains("accumulated") || words.contains("active") && words.count > 1 {
                    return words.contains {
                        ["time", "duration", "seconds", "accumulated"].contains($0)
                    }
                }
                return words.contains { $0.hasPrefix("paus") }
                    && !Self.measures.isDisjoint(with: words)
            }
        }
    }

    /// Returns whether a span is the time since the start of a workout that can be paused.
    func contains(_ span: DateSpan) -> Bool {
        guard areThere, span.endsNow || span.end.map({ isNow($0) }) == true else { return false }
        let start = unwrapped(choice(span.start))
        guard let name = start.lastName,
            name.camelCaseWords.contains(where: { $0.hasPrefix("start") }),
            Self.parts.isDisjoint(with: name.camelCaseWords),
            span.node.destinations.allSatisfy({ Self.parts.isDisjoint(with: $0.camelCaseWords) })
        else { return false }
        if let member = start.as(MemberAccessExprSyntax.self), let base = member.base,
            !target.isSelf(base)
        {
            let owner = base.bare.lastName?.lowercased() ?? ""
            let isApple =
                member.declName.baseName.text == "startDate"
                && (owner.contains("builder") || owner.hasSuffix("session"))
            guard let type = target.typeName(of: base) else { return isApple }
            return isApple && type.hasPrefix("HK")
                || types.contains(type) && isWorkoutStart(name, type)
        }
        guard let type = span.node.enclosingTypeName, types.contains(type) else { return false }
        let origins = target.origins(of: start, calls: .notFollowed)
        let isParameter = origins.contains { origin in
            if case .parameter = target.binding(of: origin) { return true }
            return false
        }
        let variable = variable(start)
        return !isParameter && variable.map { isWorkoutStart($0, type) } ?? false
    }

    /// Returns the member of another value that a name was unwrapped from: `manager.startDate` for
    /// `start` in `guard let start = manager.startDate`.
    private func unwrapped(_ start: ExprSyntax) -> ExprSyntax {
        guard case .unwrapped(let value) = target.binding(of: start),
            let member = choice(value).as(MemberAccessExprSyntax.self), let base = member.base,
            !target.isSelf(base)
        else { return start }
        return ExprSyntax(member)
    }

    /// Returns whether a date is the present that a clock shows: the date of a `TimelineView`, or a
    /// parameter that is only given this or the time of the call.
    private func isNow(_ date: ExprSyntax, depth: Int = 0) -> Bool {
        guard depth < 3 else { return false }
        let bare = date.bare
        if ["Date()", "Date.now", ".now"].contains(bare.shortText) { return depth > 0 }
        if let member = bare.as(MemberAccessExprSyntax.self),
            member.declName.baseName.text == "date", let base = member.base
        {
            guard case .closureParameter(let closure, 0) = target.binding(of: base) else {
                return base.bare.ownName == "$0" && isInTimeline(Syntax(bare))
            }
            return closure.receivingCall?.calledName == "TimelineView"
        }
        switch target.binding(of: bare) {
        case .parameter(let parameter):
            guard let function = parameter.function else { return false }
            let given = target.calls(of: function).prefix(8).compactMap {
                $0.argument(for: parameter)
            }
            return !given.isEmpty && given.allSatisfy { isNow($0, depth: depth + 1) }
        case .closureParameter(let closure, 0):
            guard let call = closure.receivingCall, call.calledName == "onReceive" else {
                return false
            }
            let source = call.unlabelledArgument(0).map { target.origins(of: $0) } ?? []
            return source.contains { $0.trimmedDescription.contains("Timer") }
        default: return false
        }
    }

    private func isInTimeline(_ node: Syntax) -> Bool {
        node.enclosing(ClosureExprSyntax.self)?.receivingCall?.calledName == "TimelineView"
    }

    /// Returns the member that holds the start: `startDate` for `start` in
    /// `guard let start = startDate`.
    private func variable(_ start: ExprSyntax) -> String? {
        var current = start
        for _ in 0..<4 {
            switch target.binding(of: current) {
            case .unwrapped(let value): current = choice(value)
            case .variable(let binding, let declaration):
                if declaration.memberOf != nil { return binding.boundName }
                guard let value = binding.initializer?.value else { return nil }
                current = choice(value)
            default: return nil
            }
        }
        return nil
    }

    /// Returns whether the member is set once, to the beginning: a resumed workout that shifts its
    /// start leaves pauses out.
    private func isWorkoutStart(_ name: String, _ type: String) -> Bool {
        let values = (target.index.assignments[name] ?? []).filter {
            $0.node.enclosingTypeName == type
        }
        return values.allSatisfy { assignment in
            let function = assignment.node.enclosing(FunctionDeclSyntax.self)?.name.text ?? ""
            let code = assignment.node.shortText ?? ""
            return assignment.operator == .plain && assignment.firstChoice != nil
                && !code.contains("addingTimeInterval") && !code.contains("advanced")
                && function != "workoutSession"
                && ["resume", "toggle", "unpause", "continue"].allSatisfy {
                    !function.lowercased().contains($0)
                }
        }
    }

    /// Returns the part before `??`.
    private func choice(_ expression: ExprSyntax) -> ExprSyntax {
        guard let sequence = expression.bare.as(SequenceExprSyntax.self),
            let first = sequence.elements.first
        else { return expression.bare }
        let operators = sequence.elements.compactMap {
            $0.as(BinaryOperatorExprSyntax.self)?.operator.text
        }
        return operators.allSatisfy { $0 == "??" } ? first.bare : expression.bare
    }

    private static let measures: Set<String> = [
        "time", "times", "duration", "durations", "start", "started", "date", "total", "second",
        "seconds", "interval", "intervals", "offset", "began", "begin", "since", "elapsed", "sum",
        "at", "last", "length", "spent",
    ]
    private static let parts: Set<String> = [
        "lap", "segment", "split", "interval", "set", "rest", "round", "phase", "step", "last",
        "countdown", "age", "query", "fetch", "launch", "app", "load", "request", "timeout",
    ]
}
