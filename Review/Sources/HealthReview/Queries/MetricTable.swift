import HealthEngine
import SwiftSyntax

/// Values by key, as a dictionary or the branches of a function write them: types, units or options
/// of metrics.
///
/// ```
/// switch name {
/// case "pulse": return HKQuantityType(.heartRate)
/// default: return nil
/// }
/// ```
struct MetricTable {
    typealias Entry = (key: ExprSyntax, value: ExprSyntax)

    let entries: [Entry]
    /// Whether `.heartRate` as a key is HealthKit's identifier, and not a case of another type.
    let isByIdentifier: Bool
    /// What a `default` branch returns, or the statement after all branches.
    var fallback: ExprSyntax?
    /// The function or the variable; nil for dictionaries.
    var owner: Syntax?
}

extension Target {
    /// The rows of tables whose keys are types: a `switch` over identifiers that returns units, a
    /// dictionary from identifiers to options; and of pairs of tables with the same keys, one of
    /// types, the other of units or options.
    func tableRows(of file: SourceFile) -> [MetricRow] {
        let blocks = file.declarations.types.values.joined()
        let variables = blocks.map { $0.variables.map(\.binding) }
        let functions = blocks.map(\.functions)
        let free = file.declarations.functions.values.joined().filter {
            $0.enclosingTypeName == nil
        }
        let groups =
            zip(functions, variables).map { tables(of: $0, $1) }
            + [tables(of: Array(free), Array(file.declarations.globals.values.joined()))]
        return groups.flatMap { group in
            let tables = group.map(\.table)
            return tables.flatMap { rows(ofKeyed: $0) + rows(ofDefault: $0) }
                + rows(ofPairs: group)
        }
    }

    /// A table, and the type of its keys as written.
    private typealias KeyedTable = (table: MetricTable, key: String)

    private func tables(
        of functions: [FunctionDeclSyntax], _ variables: [PatternBindingSyntax]
    ) -> [KeyedTable] {
        let made = functions.compactMap { function -> KeyedTable? in
            guard let result = function.signature.returnClause?.type.metricName,
                Self.results.contains(result), let body = function.body,
                !body.mentionsCompatibility
            else { return nil }
            let parameters = function.signature.parameterClause.parameters
            let key = parameters.count == 1 ? parameters.first?.type.metricName : nil
            return table(of: body.statements, function).map { ($0, key ?? "") }
        }
        let computed = variables.compactMap { variable -> KeyedTable? in
            guard let result = variable.declaredTypeName, Self.results.contains(result),
                let getter = variable.getterStatements
            else { return nil }
            let type = variable.enclosingTypeName ?? ""
            return table(of: getter, variable).map { ($0, type) }
        }
        let written = variables.compactMap { variable -> KeyedTable? in
            guard
                case .elements(let elements)? = variable.initializer?.value
                    .as(DictionaryExprSyntax.self)?.content
            else { return nil }
            let type = variable.typeAnnotation?.type.trimmedDescription ?? ""
            let isByIdentifier = type.hasPrefix("[HKQuantityTypeIdentifier")
            let entries = elements.map { (key: $0.key, value: $0.value) }
            return (MetricTable(entries: entries, isByIdentifier: isByIdentifier), "")
        }
        return made + computed + written
    }

    private static let results: Set<String> = [
        "HKUnit", "HKStatisticsOptions", "HKQuantityType", "HKQuantityTypeIdentifier",
        "HKSampleType", "HKObjectType",
    ]

    /// Returns the table that the branches of a body make.
    private func table(
        of statements: CodeBlockItemListSyntax, _ owner: some SyntaxProtocol
    ) -> MetricTable? {
        var entries: [MetricTable.Entry] = []
        var isByIdentifier = false
        var fallback: ExprSyntax?
        for item in statements {
            let node = Syntax(item.item)
            let expression =
                node.as(ExpressionStmtSyntax.self)?.expression ?? node.as(ExprSyntax.self)
                ?? node.as(ReturnStmtSyntax.self)?.expression
            if let choice = expression?.as(SwitchExprSyntax.self) {
                isByIdentifier = isIdentifier(choice.subject)
                entries += self.entries(of: choice)
                fallback = fallback ?? self.fallback(of: choice)
            } else if let branch = expression?.as(IfExprSyntax.self) {
                isByIdentifier = isByIdentifier || branch.subject.map(isIdentifier) == true
                entries += self.entries(of: branch)
            } else if !entries.isEmpty, let value = node.as(ReturnStmtSyntax.self)?.expression {
                fallback = fallback ?? value
            }
        }
        return entries.isEmpty
            ? nil
            : MetricTable(
                entries: entries, isByIdentifier: isByIdentifier, fallback: fallback,
                owner: Syntax(owner))
    }

    private func entries(of choice: SwitchExprSyntax) -> [MetricTable.Entry] {
        choice.cases.prefix(200).compactMap { $0.as(SwitchCaseSyntax.self) }.flatMap { branch in
            let values = results(of: branch.statements)
            guard case .case(let label) = branch.label, values.count == 1 else {
                return [MetricTable.Entry]()
            }
            return label.caseItems.compactMap { item in
                guard item.whereClause == nil,
                    let pattern = item.pattern.as(ExpressionPatternSyntax.self)
                else { return nil }
                return (pattern.expression, values[0])
            }
        }
    }

    private func fallback(of choice: SwitchExprSyntax) -> ExprSyntax? {
        let branch = choice.cases.last?.as(SwitchCaseSyntax.self)
        guard let branch, case .default = branch.label else { return nil }
        let values = results(of: branch.statements)
        return values.count == 1 ? values[0] : nil
    }

    /// Returns the entries of `if type == HKQuantityType(.height) { return .meter() } else if …`.
    private func entries(of first: IfExprSyntax) -> [MetricTable.Entry] {
        var entries: [MetricTable.Entry] = []
        var next: IfExprSyntax? = first
        while let branch = next, entries.count < 100 {
            let values = results(of: branch.body.statements)
            if branch.conditions.count == 1, values.count == 1,
                case .expression(let condition)? = branch.conditions.first?.condition,
                let terms = condition.as(SequenceExprSyntax.self)?.elements, terms.count == 3,
                terms.dropFirst().first?.as(BinaryOperatorExprSyntax.self)?.operator.text == "==",
                let key = terms.last
            {
                entries.append((key, values[0]))
            }
            next = branch.elseBody.flatMap { body in
                if case .ifExpr(let other) = body { other } else { nil }
            }
        }
        return entries
    }

    /// Returns whether the subject of a `switch` is an identifier of quantity types.
    private func isIdentifier(_ subject: ExprSyntax) -> Bool {
        let bare = subject.bare
        let name = "HKQuantityTypeIdentifier"
        if bare.as(FunctionCallExprSyntax.self)?.constructedName == name { return true }
        return typeName(of: bare) == name
    }

    /// Returns a row for each entry whose key is a type.
    private func rows(ofKeyed table: MetricTable) -> [MetricRow] {
        table.entries.compactMap { entry in
            keyedType(entry.key, table).flatMap { row($0, entry.value) }
        }
    }

    func keyedType(_ key: ExprSyntax, _ table: MetricTable) -> SampleType? {
        let bare = key.bare
        var types = PossibleTypes(isComplete: false)
        if let text = bare.plainString {
            return Catalogue.type(identifier: text)
        } else if let member = bare.as(MemberAccessExprSyntax.self) {
            let isRaw = member.declName.baseName.text == "rawValue"
            let name = (isRaw ? member.base?.bare : bare)?.as(MemberAccessExprSyntax.self)
            guard let name, table.isByIdentifier || name.base != nil else { return nil }
            types = identifiedTypes(of: ExprSyntax(name))
        } else if bare.is(FunctionCallExprSyntax.self) {
            types = sampleTypes(of: bare)
        }
        return types.isComplete && types.known.count == 1 ? types.known[0] : nil
    }

    func row(_ type: SampleType, _ value: ExprSyntax) -> MetricRow? {
        if let names = value.optionNames { return MetricRow(type: type, options: (names, value)) }
        return unit(of: value).map { MetricRow(type: type, unit: ($0, value)) }
    }

    /// Returns a row for each key that one table has with a type and another with a unit or options.
    private func rows(ofPairs group: [KeyedTable]) -> [MetricRow] {
        let groups = Dictionary(grouping: group, by: \.key).filter { !$0.key.isEmpty }
        return groups.values.filter { $0.count > 1 && $0.count < 20 }.flatMap { tables in
            var types: [String: [SampleType?]] = [:]
            for entry in tables.flatMap(\.table.entries) {
                guard entry.value.optionNames == nil, unit(of: entry.value) == nil else { continue }
                types[entry.key.keyText, default: []].append(quantityType(entry.value))
            }
            let known = types.compactMapValues { $0.count == 1 ? $0[0] : nil }
            let rows = tables.flatMap(\.table.entries).compactMap { entry -> MetricRow? in
                known[entry.key.keyText].flatMap { row($0, entry.value) }
            }
            return rows + self.rows(ofDefaults: tables.map(\.table), known)
        }
    }
}

extension IfExprSyntax {
    /// The value that the only condition compares: `id` in `if id == .height`.
    fileprivate var subject: ExprSyntax? {
        guard conditions.count == 1, case .expression(let condition)? = conditions.first?.condition
        else { return nil }
        return condition.as(SequenceExprSyntax.self)?.elements.first
    }
}

extension TypeSyntax {
    /// The name of the type, without `?`.
    fileprivate var metricName: String? {
        (self.as(OptionalTypeSyntax.self)?.wrappedType ?? self).baseName
    }
}

extension ExprSyntax {
    /// The text of a key: `"pulse"`, or `.pulse` for `Kind.pulse`.
    var keyText: String {
        bare.as(MemberAccessExprSyntax.self).map { "." + $0.declName.baseName.text }
            ?? trimmedDescription
    }
}

extension CodeBlockSyntax {
    /// Whether the code asks `is(compatibleWith:)`.
    fileprivate var mentionsCompatibility: Bool {
        Syntax(self).descendants.contains {
            $0.as(LabeledExprSyntax.self)?.label?.text == "compatibleWith"
        }
    }
}
