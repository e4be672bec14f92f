import HealthEngine
import SwiftSyntax

/// A row of a table of metrics: a quantity type, with the unit or the options written beside it.
struct MetricRow: Sendable {
    let type: SampleType
    /// The unit, and the place that a finding points at.
    var unit: (value: HealthUnit, place: ExprSyntax)?
    /// The names of the statistics options, and the place that a finding points at.
    var options: (names: [String], place: ExprSyntax)?
}

extension Target {
    /// The rows of the target's tables: tuples, constructions of the target's types, cases of enums
    /// with computed members, and dictionaries with the same keys.
    ///
    /// ```
    /// static let rows = [("pulse", HKQuantityTypeIdentifier.heartRate, HKUnit.count())]
    /// ```
    ///
    /// - Complexity: O(tuples, calls and enum cases in files that name a unit or an option).
    var metricRows: [MetricRow] { analyses.metricRows { makeMetricRows() } }

    private func makeMetricRows() -> [MetricRow] {
        let texts = unitTextNames
        return files.filter { !$0.uses.names.isDisjoint(with: Self.marks) }.flatMap { file in
            let tuples = file.uses.tuples.map { Array($0.elements) }
            let calls = file.uses.calls.filter { call in
                call.arguments.count > 1
                    && (call.constructedName.map { !types($0).isEmpty } ?? (call.base == nil))
            }.map { Array($0.arguments) }
            let enums = file.declarations.types.values.joined().filter { $0.kind == .enum }
            let tables =
                file.declarations.types.values.joined().map { $0.variables.map(\.binding) }
                + [Array(file.declarations.globals.values.joined())]
            var rows = (tuples + calls).compactMap { row($0, texts) }
            rows += enums.flatMap { self.rows(of: $0, texts) }
            rows += tables.flatMap { self.rows(ofDictionaries: $0) }
            return rows + tableRows(of: file)
        }
    }

    private static let marks: Set<String> = [
        "HKUnit", "HKStatisticsOptions", "HKQuantityTypeIdentifier",
    ]

    /// The names whose texts become units: `symbol` for `HKUnit(from: metric.symbol)`.
    private var unitTextNames: Set<String> {
        let calls = files.lazy.flatMap(\.uses.calls).filter { $0.arguments.count == 1 }
        return Set(
            calls.compactMap { call in
                guard let text = call.argument("from"), call.makesUnit else { return nil }
                return text.bare.lastName
            })
    }

    private func row(_ elements: [LabeledExprSyntax], _ texts: Set<String>) -> MetricRow? {
        let parts = elements.map(\.expression)
        let types = parts.compactMap { quantityType($0) }
        guard types.count == 1 else { return nil }
        var row = MetricRow(type: types[0])
        var units = parts.filter { $0.bare.is(FunctionCallExprSyntax.self) }.compactMap { part in
            unit(of: part).map { (value: $0, place: part) }
        }
        for element in elements where texts.contains(element.label?.text ?? "") {
            guard let text = element.expression.bare.plainString,
                let unit = try? HealthUnit(text)
            else { continue }
            units.append((unit, element.expression))
        }
        if units.count == 1 { row.unit = units[0] }
        let options = parts.compactMap { part in
            part.optionNames.map { (names: $0, place: part) }
        }
        if options.count == 1 { row.options = options[0] }
        return row.unit == nil && row.options == nil ? nil : row
    }

    /// Returns the only quantity type that an expression names.
    func quantityType(_ expression: ExprSyntax) -> SampleType? {
        let bare = expression.bare
        let types =
            bare.is(MemberAccessExprSyntax.self)
            ? identifiedTypes(of: bare)
            : bare.is(FunctionCallExprSyntax.self)
                ? sampleTypes(of: bare) : PossibleTypes(isComplete: false)
        guard types.isComplete, types.known.count == 1, types.known[0].kind == .quantity else {
            return nil
        }
        return types.known[0]
    }

    /// Returns a row for each key that one dictionary has with a type and another with a unit.
    private func rows(ofDictionaries variables: [PatternBindingSyntax]) -> [MetricRow] {
        let tables = variables.compactMap { variable -> [(String, ExprSyntax)]? in
            guard
                case .elements(let elements) = variable.initializer?.value
                    .as(DictionaryExprSyntax.self)?.content
            else { return nil }
            return elements.map { ($0.key.trimmedDescription, $0.value) }
        }
        guard tables.count > 1, tables.count < 40 else { return [] }
        let defaults = self.rows(ofDefaultsOf: variables)
        let types = tables.joined().reduce(into: [String: SampleType]()) { types, entry in
            if types[entry.0] == nil { types[entry.0] = quantityType(entry.1) }
        }
        return tables.joined().compactMap { key, value in
            guard let type = types[key], value.bare.is(FunctionCallExprSyntax.self),
                let unit = unit(of: value)
            else { return nil }
            return MetricRow(type: type, unit: (unit, value))
        } + defaults
    }

    /// Returns a row for each type whose key a dictionary of units, which is read with a default,
    /// doesn't have: `units[key] ?? .count()`.
    private func rows(ofDefaultsOf variables: [PatternBindingSyntax]) -> [MetricRow] {
        let tables = variables.compactMap { variable -> (PatternBindingSyntax, MetricTable)? in
            guard
                case .elements(let elements)? = variable.initializer?.value
                    .as(DictionaryExprSyntax.self)?.content
            else { return nil }
            let entries = elements.map { (key: $0.key, value: $0.value) }
            return (variable, MetricTable(entries: entries, isByIdentifier: false))
        }
        return tables.flatMap { variable, units -> [MetricRow] in
            guard units.entries.allSatisfy({ unit(of: $0.value) != nil }),
                let fallback = defaultValue(of: variable)
            else { return [] }
            var measured = units
            measured.fallback = fallback
            return tables.filter { $0.0.id != variable.id }.flatMap { _, other in
                let types = other.entries.reduce(into: [String: SampleType]()) {
                    $0[$1.key.keyText] = quantityType($1.value)
                }
                return rows(ofDefaults: [measured, other], types)
            }
        }
    }

    /// Returns the default with which all reads of a dictionary do: `.count()` in
    /// `units[key] ?? .count()` and `units[key, default: .count()]`.
    private func defaultValue(of variable: PatternBindingSyntax) -> ExprSyntax? {
        guard let name = variable.boundName else { return nil }
        var found: ExprSyntax?
        for file in files where file.uses.names.contains(name) {
            for reference in file.uses.references[name] ?? [] {
                var node = Syntax(reference)
                let base = reference.parent?.as(MemberAccessExprSyntax.self)?.base?.bare
                let owner = variable.enclosingTypeName
                guard reference.enclosingTypeName == owner || base?.lastName == owner else {
                    continue
                }
                if let member = node.parent?.as(MemberAccessExprSyntax.self) {
                    node = Syntax(member)
                }
                guard let entry = node.parent?.as(SubscriptCallExprSyntax.self),
                    Syntax(entry.calledExpression) == node,
                    !entry.enclosingFunction.contains("compatibleWith")
                else { return nil }
                if let value = entry.arguments.first(where: { $0.label?.text == "default" }) {
                    found = value.expression
                    continue
                }
                guard let parts = entry.parent?.as(ExprListSyntax.self).map(Array.init),
                    parts.count == 3, parts[0].id == ExprSyntax(entry).id,
                    parts[1].as(BinaryOperatorExprSyntax.self)?.operator.text == "??"
                else { return nil }
                found = parts[2]
            }
        }
        return found
    }

    /// Returns a row for each case of an enum whose members give a type and a unit or options.
    private func rows(of block: TypeBlock, _ texts: Set<String>) -> [MetricRow] {
        func body(_ types: Set<String>) -> CodeBlockItemListSyntax? {
            let blocks = self.types(block.name)
            let variable = blocks.lazy.flatMap(\.variables).first {
                types.contains($0.binding.declaredTypeName ?? "")
                    && $0.binding.getterStatements != nil && !$0.declaration.isStatic
            }
            if let variable { return variable.binding.getterStatements }
            return blocks.lazy.flatMap(\.functions).first {
                types.contains($0.signature.returnClause?.type.baseName ?? "")
                    && $0.signature.parameterClause.parameters.isEmpty
            }?.body?.statements
        }
        let units = body(["HKUnit"])
        let options = body(["HKStatisticsOptions"])
        let text = self.types(block.name).lazy.flatMap(\.variables).map(\.binding).first {
            $0.declaredTypeName == "String" && texts.contains($0.boundName ?? "")
        }?.getterStatements
        guard units != nil || options != nil || text != nil,
            let identifiers = body(["HKQuantityTypeIdentifier"]) ?? body(["HKQuantityType"])
        else { return [] }
        let cases = block.node.memberBlock.members
            .compactMap { $0.decl.as(EnumCaseDeclSyntax.self) }.flatMap(\.elements)
        return cases.prefix(200).compactMap { element in
            let value = CaseValue(target: self, type: block.name, name: element.name.text)
            guard let type = value.result(of: identifiers).flatMap({ quantityType($0.value) })
            else { return nil }
            var row = MetricRow(type: type)
            if let unit = units.flatMap({ value.result(of: $0) }),
                let measured = self.unit(of: unit.value)
            {
                row.unit = (measured, unit.place)
            } else if let unit = text.flatMap({ value.result(of: $0) }),
                let symbol = unit.value.bare.plainString, let measured = try? HealthUnit(symbol)
            {
                row.unit = (measured, unit.place)
            }
            if let option = options.flatMap({ value.result(of: $0) }),
                let names = option.value.optionNames
            {
                row.options = (names, option.place)
            }
            return row
        }
    }
}

extension ExprSyntax {
    /// The names of statistics options: `.cumulativeSum`, `[.discreteMin, .discreteMax]`.
    var optionNames: [String]? {
        let parts = bare.as(ArrayExprSyntax.self)?.elements.map(\.expression) ?? [bare]
        let names = parts.compactMap { part -> String? in
            let member = part.bare.as(MemberAccessExprSyntax.self)
            return member?.declName.baseName.text
        }
        let known = [
            "cumulativeSum", "discreteAverage", "discreteMin", "discreteMax", "mostRecent",
            "separateBySource", "duration",
        ]
        return !names.isEmpty && names.count == parts.count && names.allSatisfy(known.contains)
            ? names : nil
    }
}
