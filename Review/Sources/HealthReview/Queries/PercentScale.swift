import SwiftSyntax

/// Follows a number that is saved in percent back to where it comes from, and looks for signs that
/// it lies between 0 and 100, or between 0 and 1.
///
/// - Complexity: bounded: 60 steps.
struct PercentScale {
    let target: Target
    /// The names that the number has on its way.
    private(set) var names: Set<String> = []
    /// The functions on its way.
    private(set) var functions: [Syntax] = []
    private var isWholeNumber = false
    private var isFraction = false
    private var pending: [(value: ExprSyntax, depth: Int)] = []

    init(of value: ExprSyntax, _ target: Target) {
        self.target = target
        functions = [value.enclosingFunction]
        pending = [(value, 0)]
        var steps = 0
        while let (value, depth) = pending.popLast(), steps < 60 {
            steps += 1
            if depth < 8 { follow(value, depth) }
        }
    }

    /// Whether anything says that the number lies between 0 and 1, or is calculated.
    var mayBeFraction: Bool {
        if isFraction { return true }
        let words = names.flatMap(\.camelCaseWords)
        if words.contains(where: { ["fraction", "ratio", "normalized"].contains($0) }) {
            return true
        }
        return functions.contains { function in
            target.file(of: function)?.dividesByHundred ?? true || function.documentsFraction
        }
    }

    /// Whether the code shows that the number lies between 0 and 100: an `Int`, a comparison with
    /// 70, a slider up to 100.
    var isPercentage: Bool {
        isWholeNumber || functions.contains { $0.limits(names) } || isChosenByControl
            || isEntered
    }

    /// Whether it is called a percentage, and the target labels a field or a number with `%`
    /// without formatting percentages itself.
    private var isEntered: Bool {
        let words = Set(names.flatMap(\.camelCaseWords))
        guard !words.isDisjoint(with: ["percent", "pct", "percentage"]) else { return false }
        let formats = target.files.contains { file in
            file.uses.memberAccesses.contains {
                $0.declName.baseName.text == "percent"
                    && $0.keyPathInParent != \FunctionCallExprSyntax.calledExpression
            }
        }
        return !formats
            && target.files.contains { file in
                file.uses.strings.contains { ExprSyntax($0).plainString?.labelsPercent == true }
            }
    }

    private var isChosenByControl: Bool {
        target.files.contains { file in
            ["Slider", "Stepper"].contains { control in
                (file.uses.callsByName[control] ?? []).contains { call in
                    guard let value = call.argument("value"),
                        let bound = value.bare.lastName?.drop(while: { $0 == "$" }),
                        names.contains(String(bound)), !Self.general.contains(String(bound)),
                        let range = call.argument("in")
                    else { return false }
                    return Syntax(range).mentionsNumberAboveOne
                }
            }
        }
    }

    /// Names that other numbers have too.
    private static let general: Set<String> = ["value", "amount", "number", "quantity"]

    private mutating func follow(_ value: ExprSyntax, _ depth: Int) {
        let bare = value.bare
        if let number = Double(bare.trimmedDescription) {
            if number > 0, number <= 1.5 { isFraction = true }
            return
        }
        if let sequence = bare.as(SequenceExprSyntax.self) {
            let parts = Array(sequence.elements)
            guard parts[1].as(BinaryOperatorExprSyntax.self)?.operator.text == "??" else {
                isFraction = true
                return
            }
            return pending.append((parts[0], depth + 1))
        }
        if let call = bare.as(FunctionCallExprSyntax.self) { return follow(call, depth) }
        if let element = bare.as(SubscriptCallExprSyntax.self) {
            let key = element.arguments.first?.expression.bare.plainString
            if let key, element.arguments.count == 1 { names.insert(key) }
            return
        }
        guard bare.ownName == nil else { return followName(bare, depth) }
        guard let member = bare.as(MemberAccessExprSyntax.self), let base = member.base else {
            return
        }
        let name = member.declName.baseName.text
        if ["doubleValue", "value", "wrappedValue"].contains(name), !target.declares(member: name) {
            return pending.append((base, depth + 1))
        }
        names.insert(name)
        if let type = target.typeName(of: base),
            case .variable(let binding, _) = target.member(name, of: type)
        {
            note(binding)
        }
    }

    private mutating func follow(_ call: FunctionCallExprSyntax, _ depth: Int) {
        let name = call.calledName ?? ""
        if name == "getInt" { isWholeNumber = true }
        if name.hasPrefix("get"), let key = call.unlabelledArgument(0)?.bare.plainString {
            names.insert(key)
            return
        }
        if name == "doubleValue" || name == "random" {
            isFraction = true
            return
        }
        if ["Double", "Float", "NSNumber", "CGFloat"].contains(name) {
            guard let inner = call.arguments.first?.expression else { return }
            if target.typeName(of: inner) == "Int" { isWholeNumber = true }
            return pending.append((inner, depth + 1))
        }
        if let function = target.function(calledBy: call) {
            functions.append(Syntax(function))
            pending += target.results(of: function).prefix(8).map { ($0, depth + 1) }
        }
    }

    private mutating func followName(_ bare: ExprSyntax, _ depth: Int) {
        names.insert(bare.ownName ?? "")
        switch target.binding(of: bare) {
        case .parameter(let parameter):
            if parameter.type.baseName == "Int" { isWholeNumber = true }
            guard let function = parameter.function else { return }
            functions.append(Syntax(function))
            for known in target.calls(of: function).prefix(16) {
                guard let given = known.argument(for: parameter) else { continue }
                functions.append(known.call.enclosingFunction)
                pending.append((given, depth + 1))
            }
        case .unwrapped(let value):
            if value.trimmedDescription.hasSuffix(" as? Int") { isWholeNumber = true }
            pending.append((value, depth + 1))
        case .variable(let binding, let declaration):
            if declaration.memberOf != nil { return note(binding) }
            if binding.declaredTypeName == "Int" { isWholeNumber = true }
            if let value = binding.initializer?.value { pending.append((value, depth + 1)) }
        case .closureParameter(let closure, let place):
            if let list = closure.collection(ofParameter: place) {
                pending.append((list, depth + 1))
            }
            for call in target.calls(ofMember: closure).prefix(16) {
                guard let given = call.unlabelledArgument(place) else { continue }
                functions.append(call.enclosingFunction)
                pending.append((given, depth + 1))
            }
        default: return
        }
    }

    /// Looks at a member's type and first value.
    private mutating func note(_ binding: PatternBindingSyntax) {
        let first = binding.initializer?.value.bare.trimmedDescription ?? ""
        let isInteger = binding.typeAnnotation == nil && Int(first) != nil
        if binding.declaredTypeName == "Int" || isInteger { isWholeNumber = true }
        if let number = Double(first), number > 0 {
            if number > 1.5 { isWholeNumber = true } else { isFraction = true }
        }
    }
}

extension String {
    /// Whether a text, which is no format, has a percent sign: `Body fat (%)`.
    fileprivate var labelsPercent: Bool {
        guard count < 60, let place = firstIndex(of: "%") else { return false }
        guard let next = self[place...].dropFirst().first else { return true }
        return next == " " && !self[place...].dropFirst().contains("%") || next == ")"
    }
}

extension SourceFile {
    /// Whether the file divides anything by 100.
    var dividesByHundred: Bool { Syntax(tree).dividesByHundred }
}

extension SyntaxProtocol {
    /// Whether anything inside is divided by 100.
    var dividesByHundred: Bool {
        calculates(["/": ["100", "100.0", "100.00"], "/=": ["100", "100.0"], "*": ["0.01"]])
    }

    /// Whether anything inside is multiplied by 100.
    var multipliesByHundred: Bool {
        calculates(["*": ["100", "100.0", "100.00"], "*=": ["100", "100.0"]])
    }

    private func calculates(_ numbers: [String: Set<String>]) -> Bool {
        all(SequenceExprSyntax.self).contains { sequence in
            let parts = Array(sequence.elements)
            return parts.indices.contains { place in
                guard let sign = parts[place].as(BinaryOperatorExprSyntax.self)?.operator.text,
                    let expected = numbers[sign]
                else { return false }
                let next = place + 1 < parts.count ? parts[place + 1].trimmedDescription : ""
                let last = place > 0 && sign == "*" ? parts[place - 1].trimmedDescription : ""
                return expected.contains(next) || expected.contains(last)
            }
        }
    }
}

extension Syntax {
    /// Whether a comment before a declaration speaks of a fraction.
    fileprivate var documentsFraction: Bool {
        let text = leadingTrivia.description.lowercased()
        return ["fraction", "0...1", "0–1", "0-1", "0 to 1", "0 and 1", "0.0"].contains {
            text.contains($0)
        }
    }

    /// Whether one of the names is compared with a number above 1.5, or must lie in a range up to
    /// one.
    fileprivate func limits(_ names: Set<String>) -> Bool {
        descendants.contains { node in
            if let call = node.as(FunctionCallExprSyntax.self), call.calledName == "contains",
                let range = call.base, Syntax(range).mentionsNumberAboveOne,
                let value = call.unlabelledArgument(0)?.bare.lastName
            {
                return names.contains(value)
            }
            guard let sequence = node.as(SequenceExprSyntax.self) else { return false }
            let parts = Array(sequence.elements)
            return parts.indices.contains { place in
                parts[place].bare.lastName.map(names.contains) == true
                    && (parts.comparesWithPercentage(place) || parts.matchesRange(place))
            }
        }
    }
}

extension [ExprSyntax] {
    /// Whether an element is matched with a range up to a number above 1.5: `3...60 ~= fat`.
    fileprivate func matchesRange(_ place: Int) -> Bool {
        place > 1 && self[place - 1].as(BinaryOperatorExprSyntax.self)?.operator.text == "~="
            && self[..<(place - 1)].contains { Syntax($0).mentionsNumberAboveOne }
    }
}
