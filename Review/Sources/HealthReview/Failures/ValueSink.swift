import SwiftSyntax

/// What happens to a value in the end.
enum ValueSink: Int, Sendable, Comparable {
    case shown, inWidget, sent, kept

    static func < (one: ValueSink, other: ValueSink) -> Bool { one.rawValue < other.rawValue }
}

extension Target {
    /// Returns where an event takes a 0 or an empty list that stands for a failed read; nil if it
    /// takes none anywhere.
    func sink(of event: FailureRun.Event) -> ValueSink? {
        switch event.action {
        case .call(let call, let values):
            if event.isCertain, answersOtherLanguage(call), call.answersZero { return .sent }
            if event.isCertain, values.contains(.literal), call.replacesResult { return .kept }
            guard values.contains(where: \.isMadeUp), !call.isReport else { return nil }
            if isWidgetEntry(call) { return .inWidget }
            let isEmpty = FailureValue(of: values) == .empty
            if call.sends || answersOtherLanguage(call) { return isEmpty ? nil : .sent }
            if isEmpty, !call.replaces { return nil }
            return keeps(call) || call.insertsRecord ? .kept : nil
        case .assignment(let assignment, let value):
            guard value.deliversZero else { return nil }
            if value.isMadeUp, assignment.target.lastName == "httpBody" { return .sent }
            if keeps(assignment) { return .kept }
            return isShown(assignment) ? .shown : nil
        case .trap: return nil
        }
    }

    /// Returns whether a call answers JavaScript or Dart: `resolve(steps)`, `result(steps)`.
    private func answersOtherLanguage(_ call: FunctionCallExprSyntax) -> Bool {
        if call.calledName == "resolve" { return true }
        return ["FlutterResult", "RCTPromiseResolveBlock", "RCTResponseSenderBlock"].contains(
            calledParameter(of: call)?.type.baseName)
    }

    /// Returns whether a call makes an entry of a widget's timeline.
    private func isWidgetEntry(_ call: FunctionCallExprSyntax) -> Bool {
        guard let name = call.constructedName else { return false }
        return name == "Timeline" || types(name).contains { $0.inherited.contains("TimelineEntry") }
    }

    /// Returns whether an assignment is to a member of a type.
    private func isShown(_ assignment: Assignment) -> Bool {
        let place = assignment.target.bare
        if let base = place.as(MemberAccessExprSyntax.self)?.base {
            return base.bare.isOwn
                || ["text", "attributedText", "title", "subtitle", "body", "stringValue"]
                    .contains(place.lastName)
        }
        guard let name = assignment.ownName,
            case .variable(_, let declaration) = binding(name, at: assignment.node)
        else { return false }
        return declaration.memberOf != nil
    }
}

extension FunctionCallExprSyntax {
    /// Whether the name says that the arguments leave the device.
    fileprivate var sends: Bool {
        guard let name = calledName, let verb = name.camelCaseWords.first else { return false }
        let owner = (base?.bare.lastName ?? "").lowercased()
        if Self.localReceivers.contains(where: owner.contains) || name.hasSuffix("ViewController") {
            return false
        }
        return [
            "upload", "send", "post", "submit", "transmit", "publish", "sync", "push", "transfer",
        ].contains(verb) || name == "updateApplicationContext"
    }

    /// Whether the answer is 0, or has a 0 in its list: `resolve(["steps": 0])`.
    fileprivate var answersZero: Bool {
        guard arguments.count == 1, let answer = arguments.first?.expression else { return false }
        let parts = answer.as(DictionaryExprSyntax.self)?.content.all(DictionaryElementSyntax.self)
        return ([answer] + (parts ?? []).map(\.value)).contains {
            $0.as(IntegerLiteralExprSyntax.self)?.literal.text == "0"
                || $0.as(FloatLiteralExprSyntax.self)?.literal.text == "0.0"
        }
    }

    /// Words of receivers that pass a value on inside the app.
    private static let localReceivers = [
        "subject", "publisher", "relay", "continuation", "center", "queue", "navigation",
    ]

    /// Whether the call puts a value in the place of the last one: `set(_:forKey:)`, `write(to:)`.
    /// Others may add an empty list to what there is.
    fileprivate var replaces: Bool {
        argument("forKey") != nil || calledName == "write" && argument("to") != nil
    }

    /// Whether the call stores a literal where the function also stores what was read:
    /// `set(0, forKey: key)` beside `set(steps, forKey: key)`.
    fileprivate var replacesResult: Bool {
        guard let key = argument("forKey")?.shortText, let name = calledName else { return false }
        return enclosingFunction.all(FunctionCallExprSyntax.self).contains { other in
            other.calledName == name && other.argument("forKey")?.shortText == key
                && other.unlabelledArgument(0).map { !$0.isLiteralNumber } ?? false
        }
    }

    /// Whether the call adds a record to a database.
    fileprivate var insertsRecord: Bool {
        let owner = (base?.bare.lastName ?? "").lowercased()
        return ["insert", "add", "upsert"].contains(calledName ?? "")
            && ["context", "realm", "database", "db"].contains { owner.hasSuffix($0) }
    }
}

extension ExprSyntax {
    fileprivate var isLiteralNumber: Bool {
        self.is(IntegerLiteralExprSyntax.self) || self.is(FloatLiteralExprSyntax.self)
            || self.is(NilLiteralExprSyntax.self) || self.is(BooleanLiteralExprSyntax.self)
    }
}
