import HealthEngine
import SwiftSyntax

/// The rows of a target's tables that put a unit or statistics options beside a quantity type.
///
/// Such tables are enumerations with computed properties, dictionaries with the same keys, and
/// tuples or calls that name both:
///
/// ```
/// enum Metric { var type: HKQuantityType { switch self { case .pulse: … } }; var unit: … }
/// let table = [.pulse: (.heartRate, .count(), .discreteAverage)]
/// ```
struct TypeTables {
    /// A type with what a table puts beside it.
    struct Row {
        let type: SampleType
        /// The unit or the options.
        let value: ExprSyntax
    }

    private(set) var rows: [Row] = []

    init() {}

    /// - Complexity: O(code of the files that import HealthKit).
    init(_ target: Target) {
        for file in target.files where file.importsHealthKit {
            for blocks in file.declarations.types.values {
                for block in blocks where block.kind == .enum { addCases(of: block, target) }
                for block in blocks { addDictionaries(block.variables.map(\.binding), target) }
            }
            addDictionaries(Array(file.declarations.globals.values.joined()), target)
            for call in file.uses.calls where Self.isOwn(call, target) {
                addTuple(call.arguments.map(\.expression), target)
            }
            for tuple in file.tree.all(TupleExprSyntax.self) where tuple.elements.count > 1 {
                addTuple(tuple.elements.map(\.expression), target)
            }
        }
    }

    /// Returns whether a call makes a value of the target or calls its function.
    private static func isOwn(_ call: FunctionCallExprSyntax, _ target: Target) -> Bool {
        guard call.arguments.count > 1, let name = call.calledName else { return false }
        return name == "init" || !target.types(name).isEmpty || !target.functions(name).isEmpty
    }

    private mutating func addTuple(_ elements: [ExprSyntax], _ target: Target) {
        guard elements.count < 12 else { return }
        let types = elements.compactMap { Self.quantityType($0, target) }
        guard types.count == 1 else { return }
        for element in elements where element.isUnitOrOptions {
            rows.append(Row(type: types[0], value: element))
        }
    }

    /// Returns the quantity type that an expression names: `.heartRate`, `HKQuantityType(.heartRate)`.
    private static func quantityType(_ expression: ExprSyntax, _ target: Target) -> SampleType? {
        let bare = expression.bare
        if let member = bare.as(MemberAccessExprSyntax.self) {
            let base = member.base?.bare.lastName
            guard base == nil || base == "HKQuantityTypeIdentifier" else { return nil }
            let type = Catalogue.type(named: member.declName.baseName.text)
            return type?.kind == .quantity ? type : nil
        }
        guard let call = bare.as(FunctionCallExprSyntax.self),
            call.constructedName == "HKQuantityType" || call.calledName == "quantityType"
        else { return nil }
        let types = target.sampleTypes(of: bare)
        return types.areKnown && types.known.count == 1 && types.known[0].kind == .quantity
            ? types.known[0] : nil
    }
}

extension TypeTables {
    /// Adds the rows of an enumeration: one for each case that has a type.
    private mutating func addCases(of block: TypeBlock, _ target: Target) {
        let cases = target.types(block.name).flatMap(\.caseNames)
        guard !cases.isEmpty, cases.count < 400 else { return }
        var types: [String: [SampleType]] = [:]
        var values: [String: [ExprSyntax]] = [:]
        for body in target.types(block.name).flatMap(\.bodies) {
            for (name, result) in body.statements.resultsByCase(cases, target) {
                if body.givesTypes {
                    types[name, default: []] += [Self.quantityType(result, target)].compactMap {
                        $0
                    }
                } else if result.isUnitOrOptions {
                    values[name, default: []].append(result)
                }
            }
        }
        for name in cases {
            guard let types = types[name], Set(types.map(\.code)).count == 1 else { continue }
            rows += (values[name] ?? []).map { Row(type: types[0], value: $0) }
        }
    }

    /// Adds the rows of dictionaries that have the same keys.
    private mutating func addDictionaries(
        _ variables: [PatternBindingSyntax], _ target: Target
    ) {
        let tables = variables.compactMap { variable -> [String: ExprSyntax]? in
            guard
                case .elements(let elements) = variable.initializer?.value
                    .as(DictionaryExprSyntax.self)?.content
            else { return nil }
            return elements.reduce(into: [:]) { table, element in
                table[element.key.trimmedDescription] = element.value.bare
            }
        }
        guard tables.count > 1, tables.count < 40 else { return }
        var types: [String: SampleType] = [:]
        for (key, value) in tables.joined() {
            if let type = Self.quantityType(value, target) { types[key] = type }
        }
        for (key, value) in tables.joined() {
            if let type = types[key], value.isUnitOrOptions {
                rows.append(Row(type: type, value: value))
            }
        }
    }
}

extension TypeBlock {
    /// The names of an enumeration's cases.
    fileprivate var caseNames: [String] {
        node.memberBlock.members.flatMap { member in
            member.decl.as(EnumCaseDeclSyntax.self)?.elements.map(\.name.text) ?? []
        }
    }

    /// The getters and the functions without parameters that give types, units or options.
    fileprivate var bodies: [(statements: CodeBlockItemListSyntax, givesTypes: Bool)] {
        let getters = variables.map { ($0.binding.getterStatements, $0.binding.declaredTypeName) }
        let methods = functions.filter { $0.signature.parameterClause.parameters.isEmpty }
            .map { ($0.body?.statements, $0.signature.returnClause?.type.baseName) }
        return (getters + methods).compactMap { statements, type in
            guard let statements, let type else { return nil }
            if ["HKUnit", "HKStatisticsOptions"].contains(type) { return (statements, false) }
            let isType = type == "HKQuantityTypeIdentifier" || type.hasSuffix("Type")
            return isType && type.hasPrefix("HK") ? (statements, true) : nil
        }
    }
}

extension CodeBlockItemListSyntax {
    /// Returns the result for each case, if the statements are a `switch` over `self`.
    fileprivate func resultsByCase(
        _ cases: [String], _ target: Target
    ) -> [(name: String, result: ExprSyntax)] {
        guard count == 1, let only = first else { return [] }
        let node = Syntax(only.item)
        let expression =
            node.as(ExpressionStmtSyntax.self)?.expression
            ?? node.as(ReturnStmtSyntax.self)?.expression ?? node.as(ExprSyntax.self)
        guard let choice = expression?.as(SwitchExprSyntax.self), choice.subject.bare.isOwn else {
            return []
        }
        var left = Set(cases)
        var found: [(String, ExprSyntax)] = []
        for element in choice.cases {
            guard let branch = element.as(SwitchCaseSyntax.self) else { return [] }
            let results = target.results(of: branch.statements)
            guard results.count == 1 else { continue }
            let names: [String]
            switch branch.label {
            case .case(let label): names = label.plainNames
            case .default: names = left.sorted()
            }
            left.subtract(names)
            found += names.map { ($0, results[0].bare) }
        }
        return found
    }
}

extension SwitchCaseLabelSyntax {
    /// The names of patterns without a `where` clause: `steps` in `case .steps, .pulse(_):`.
    fileprivate var plainNames: [String] {
        caseItems.compactMap { item in
            guard item.whereClause == nil,
                var expression = item.pattern.as(ExpressionPatternSyntax.self)?.expression
            else { return nil }
            if let call = expression.as(FunctionCallExprSyntax.self) {
                expression = call.calledExpression
            }
            return expression.as(MemberAccessExprSyntax.self)?.declName.baseName.text
        }
    }
}

extension ExprSyntax {
    /// Whether the expression has the form of a unit or of statistics options: a call such as
    /// `.count()`, a member such as `.cumulativeSum` or a list of options. Texts may be labels.
    fileprivate var isUnitOrOptions: Bool {
        let bare = bare
        if bare.is(FunctionCallExprSyntax.self) || bare.is(ArrayExprSyntax.self) { return true }
        guard let name = bare.as(MemberAccessExprSyntax.self)?.declName.baseName.text else {
            return false
        }
        return name.hasPrefix("cumulative") || name.hasPrefix("discrete")
    }
}
