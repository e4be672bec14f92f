import HealthEngine
import SwiftSyntax

/// Reports options that don't fit the type: `.cumulativeSum` for heart rate, `.discreteAverage` for
/// steps.
struct StatisticsOptions: Rule {
    let name = "statistics-options"
    let summary = "statistics options that don't suit the type, which ends the app"
    let severity = Severity.error

    func review(_ target: Target, _ report: inout Report) {
        for file in target.files {
            for query in file.queries {
                guard let options = query.call.argument("options") else { continue }
                let before = report.findings.count
                review(options, target.types(of: query), target, file, &report)
                if report.findings.count == before {
                    reviewCallers(of: query, options, target, &report)
                }
                if report.findings.count == before {
                    reviewOpen(query, options, target, file, &report)
                }
            }
        }
        var seen: Set<SyntaxIdentifier> = []
        for row in target.metricRows {
            guard let options = row.options, !seen.contains(options.place.id),
                let file = target.file(of: options.place)
            else { continue }
            var types = PossibleTypes()
            types.add(row.type)
            let before = report.findings.count
            review(options.names, types, at: options.place, file, &report, severity: .warning)
            if report.findings.count > before { seen.insert(options.place.id) }
        }
    }

    private func review(
        _ options: ExprSyntax, _ types: PossibleTypes, _ target: Target, _ file: SourceFile,
        _ report: inout Report
    ) {
        let names = optionNames(options, target)
        let sums = names.contains("cumulativeSum")
        let discrete = names.first { Self.discrete.contains($0) }
        if sums, let discrete {
            report.add(
                "HealthKit ends the app: no type has both `.cumulativeSum` and `.\(discrete)`",
                at: options, in: file)
            return
        }
        review(names, types, at: options, file, &report)
    }

    /// Reviews each call of the function around a query, where the call decides the type or the
    /// options: `fetch(.heartRate, options: .cumulativeSum)`.
    private func reviewCallers(
        of query: HealthQuery, _ options: ExprSyntax, _ target: Target, _ report: inout Report
    ) {
        guard let function = query.call.enclosing(FunctionDeclSyntax.self),
            function.signature.parameterClause.parameters.contains(where: {
                $0.type.description.contains("HK")
            })
        else { return }
        let origins = target.origins(of: options)
        var parameter: FunctionParameterSyntax?
        if origins.count == 1, case .parameter(let own) = target.binding(of: origins[0]) {
            guard own.function?.id == function.id else { return }
            parameter = own
        }
        let fixed = parameter == nil ? optionNames(options, target) : []
        guard parameter != nil || !fixed.isEmpty else { return }
        let parts = target.parts(of: query)
        for call in target.calls(of: function) {
            var types = PossibleTypes(isComplete: !parts.isEmpty)
            for part in parts { types.add(target.types(of: part, [call])) }
            let given = parameter.flatMap { call.argument(for: $0) }
            let names = given.map { optionNames($0, target) } ?? fixed
            let isWritten = given.map { $0.isInside(call.call) } ?? false
            let place = isWritten ? given : ExprSyntax(call.call)
            guard let place, let file = target.file(of: place) else { continue }
            review(names, types, at: place, file, &report)
        }
    }

    /// Reviews options that a query or a row of a table has for types.
    private func review(
        _ names: [String], _ types: PossibleTypes, at options: ExprSyntax, _ file: SourceFile,
        _ report: inout Report, severity: Severity? = nil
    ) {
        let sums = names.contains("cumulativeSum")
        let discrete = names.first { Self.discrete.contains($0) }
        if sums, types.areAll(\.isDiscrete), let type = types.known.first {
            report.add(
                "HealthKit ends the app: \(type.name) is discrete and has no `.cumulativeSum`",
                at: options, in: file, severity: severity)
        } else if let discrete, types.areAll(\.isCumulative), let type = types.known.first {
            report.add(
                "HealthKit ends the app: \(type.name) is cumulative and has no `.\(discrete)`",
                at: options, in: file, severity: severity)
        }
    }

    /// Options for discrete types only. The most recent value fits every type.
    private static let discrete = ["discreteAverage", "discreteMin", "discreteMax"]

    /// Returns the named options, if each can be resolved: `[.cumulativeSum, .separateBySource]`,
    /// and the options inserted later.
    private func optionNames(_ expression: ExprSyntax, _ target: Target) -> [String] {
        let origins = target.origins(of: expression)
        guard origins.count == 1, let inserted = insertedNames(expression, target) else {
            return []
        }
        if let array = origins[0].as(ArrayExprSyntax.self) {
            return array.elements.compactMap { Self.name($0.expression) } + inserted
        }
        return [Self.name(origins[0])].compactMap { $0 } + inserted
    }

    /// Returns the options that `options.insert(.discreteMin)` adds after a local variable's
    /// declaration; nil if an insertion depends on a condition.
    private func insertedNames(_ expression: ExprSyntax, _ target: Target) -> [String]? {
        guard let name = expression.bare.as(DeclReferenceExprSyntax.self)?.baseName.text,
            case .variable(_, let variable) = target.binding(name, at: expression),
            let block = variable.enclosing(CodeBlockItemListSyntax.self)
        else { return [] }
        let inserts = block.all(FunctionCallExprSyntax.self).filter {
            ["insert", "formUnion"].contains($0.calledName) && $0.base?.bare.ownName == name
        }
        guard inserts.allSatisfy({ $0.enclosing(CodeBlockItemListSyntax.self) == block }) else {
            return nil
        }
        return inserts.compactMap { $0.unlabelledArgument(0).flatMap { Self.name($0) } }
    }

    private static func name(_ option: ExprSyntax) -> String? {
        option.bare.as(MemberAccessExprSyntax.self)?.declName.baseName.text
    }
}
