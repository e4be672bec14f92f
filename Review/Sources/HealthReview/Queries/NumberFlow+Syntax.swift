import SwiftSyntax

extension SyntaxProtocol {
    /// Whether 100 occurs inside, or a format that multiplies by it.
    var mentionsHundred: Bool {
        Syntax(self).all(TokenSyntax.self).contains {
            ["100", "100.0", "1e2", "percentFormatter"].contains($0.text)
        }
    }

    func mentionsName(_ name: String) -> Bool {
        Syntax(self).all(TokenSyntax.self).contains { $0.text == name }
    }

    /// Whether a number above 1.5 occurs inside.
    var mentionsNumberAboveOne: Bool {
        Syntax(self).all(TokenSyntax.self).contains { (Double($0.text) ?? 0) > 1.5 }
    }

    /// Returns whether a name gets a value that is calculated with 100, or changes by an operator.
    func recalculates(_ name: String) -> Bool {
        all(SequenceExprSyntax.self).compactMap { Assignment($0) }.contains {
            $0.ownName == name && ($0.operator != .plain || $0.node.mentionsHundred)
        }
    }
}

extension String {
    var trimmingSpaces: String {
        let start = drop { $0 == " " || $0 == "\u{a0}" }
        return String(start.reversed().drop { $0 == " " }.reversed())
    }

    /// Whether a key says that its value is a percentage: `spo2Percent`. HealthKit's own names with
    /// `Percentage` stand for fractions.
    var isPercentKey: Bool {
        let words = camelCaseWords
        return words.contains("percent") || words.contains("pct") || words == ["percentage"]
    }

    /// The texts after the placeholders of a format: ` %` for `%.1f %%`.
    var formatLabels: [String] {
        var labels: [String] = []
        var rest = self[...]
        while let letter = rest.popFirst() {
            var text = String(letter)
            if letter == "%" {
                if rest.first == "%" {
                    rest.removeFirst()
                } else {
                    let end = rest.firstIndex { "@diufFgGeExXs".contains($0) }
                    guard let end else { return labels }
                    rest = rest[rest.index(after: end)...]
                    labels.append("")
                    continue
                }
            } else if letter == "\\" {
                text = " "
            }
            if !labels.isEmpty { labels[labels.count - 1] += text }
        }
        return labels
    }
}

extension MemberAccessExprSyntax {
    /// Whether the member is the same number: `rounded()`, `formatted()`, and for lists `max()`.
    var keepsNumber: Bool {
        let call = parent?.as(FunctionCallExprSyntax.self)
        switch declName.baseName.text {
        case "description", "first", "last": return true
        case "max", "min": return call?.arguments.isEmpty ?? false
        case "rounded": return call != nil
        case "reduce":
            return call?.arguments.last?.expression.trimmedDescription == "+"
        case "formatted":
            guard let call else { return false }
            return !Syntax(call.arguments).mentionsName("percent")
        default: return false
        }
    }
}

extension CodeBlockItemSyntax {
    /// Whether it is the only statement of a body, which is its result.
    var isOnlyStatement: Bool {
        guard let list = parent?.as(CodeBlockItemListSyntax.self), list.count == 1,
            let body = list.parent
        else { return false }
        switch body.kind {
        case .closureExpr, .accessorBlock: return true
        case .codeBlock:
            return body.parent?.is(FunctionDeclSyntax.self) == true
                || body.parent?.is(AccessorDeclSyntax.self) == true
        default: return false
        }
    }
}

extension SwitchExprSyntax {
    /// Whether a case compares with a number above 1.5: `case 95...: "good"`.
    var comparesAboveOne: Bool {
        cases.contains { branch in
            branch.as(SwitchCaseSyntax.self).map { Syntax($0.label).mentionsNumberAboveOne }
                ?? false
        }
    }
}

extension [ExprSyntax] {
    /// Returns whether the element at a place is compared with a number above 1.5.
    func comparesWithPercentage(_ place: Int) -> Bool {
        [(place - 1, place - 2), (place + 1, place + 2)].contains { sign, other in
            guard indices.contains(sign), indices.contains(other),
                ["<", ">", "<=", ">=", "=="].contains(
                    self[sign].as(BinaryOperatorExprSyntax.self)?.operator.text),
                let number = Double(self[other].trimmedDescription)
            else { return false }
            return number > 1.5
        }
    }
}
