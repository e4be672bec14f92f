import SwiftSyntax

/// The names under which a target keeps how long a sample lasted: computed members, functions, and
/// types that are made of a sample's start and end.
struct SampleDurations {
    /// Types whose values are made of one sample's start and end, or its duration.
    private(set) var models: Set<String> = []
    /// Members that hold a duration: `duration`, `hours`.
    private var members: Set<String> = []
    /// Functions that return the duration of their argument.
    private var functions: Set<String> = []
    private let target: Target

    /// Collects the names in the files that mention sleep.
    ///
    /// - Complexity: O(members and calls of those files).
    init(_ target: Target, in files: [SourceFile]) {
        self.target = target
        for (name, declared) in target.index.computed where declared.count < 8 {
            let isDuration = declared.contains { binding in
                binding.accessorBlock.map { Self.measuresOwnDates($0) } ?? false
            }
            if isDuration { members.insert(name) }
        }
        for file in files {
            for (name, declared) in file.declarations.functions {
                for function in declared where Self.returnsDuration(function) {
                    functions.insert(name)
                }
            }
        }
        for file in files { addModels(of: file) }
    }

    private mutating func addModels(of file: SourceFile) {
        for name in file.uses.callsByName.keys where name.first?.isUppercase == true {
            guard !target.types(name).isEmpty else { continue }
            for call in file.uses.callsByName[name] ?? [] {
                let measured = call.arguments.flatMap { self.measured(in: [$0.expression]) }
                let dates = Self.measured(in: Syntax(call.arguments))
                guard call.enclosingTypeName != name || dates.count == 1 else { continue }
                if measured.isEmpty && dates.isEmpty { continue }
                models.insert(name)
                for argument in call.arguments
                where !self.measured(in: [argument.expression]).isEmpty {
                    if let label = argument.label?.text { members.insert(label) }
                }
            }
        }
    }

    /// Returns the names of the values whose duration an expression measures: `sample` in
    /// `sample.endDate.timeIntervalSince(sample.startDate)`. Local names are followed.
    func measured(in terms: [ExprSyntax]) -> Set<String> {
        var found: Set<String> = []
        var pending = terms.map { ($0, 0) }
        while let (term, depth) = pending.popLast() {
            found.formUnion(Self.measured(in: Syntax(term)))
            for node in Syntax(term).descendants {
                if let member = node.as(MemberAccessExprSyntax.self),
                    members.contains(member.declName.baseName.text),
                    let name = member.base?.bare.as(DeclReferenceExprSyntax.self)?.baseName.text
                {
                    found.insert(name)
                } else if let call = node.as(FunctionCallExprSyntax.self),
                    let name = call.calledName, functions.contains(name),
                    let own = (call.arguments.first?.expression ?? call.base)?.bare
                        .as(DeclReferenceExprSyntax.self)
                {
                    found.insert(own.baseName.text)
                } else if depth < 3, let name = node.as(DeclReferenceExprSyntax.self),
                    name.keyPathInParent != \MemberAccessExprSyntax.declName,
                    case .variable(let binding, let declaration) = target.binding(
                        name.baseName.text, at: name), declaration.memberOf == nil,
                    let value = binding.initializer?.value
                {
                    pending.append((value, depth + 1))
                }
            }
        }
        return found
    }

    /// Returns whether a key path names a duration: `\.duration`.
    func isDuration(path: ExprSyntax) -> Bool {
        guard let path = path.bare.as(KeyPathExprSyntax.self),
            let last = path.components.last?.component.as(KeyPathPropertyComponentSyntax.self)
        else { return false }
        return members.contains(last.declName.baseName.text)
    }

    // MARK: - Dates

    /// Returns the names whose start and end an expression uses together.
    static func measured(in node: Syntax) -> Set<String> {
        var starts: Set<String> = []
        var ends: Set<String> = []
        for inner in node.descendants {
            guard let member = inner.as(MemberAccessExprSyntax.self),
                let name = member.base?.bare.as(DeclReferenceExprSyntax.self)?.baseName.text
            else { continue }
            if isStart(member.declName.baseName.text) { starts.insert(name) }
            if isEnd(member.declName.baseName.text) { ends.insert(name) }
        }
        return starts.intersection(ends)
    }

    /// Returns whether a getter subtracts the start from the end of its own value.
    private static func measuresOwnDates(_ block: AccessorBlockSyntax) -> Bool {
        guard block.trimmedLength.utf8Length < 600 else { return false }
        var hasStart = false
        var hasEnd = false
        for node in Syntax(block).descendants {
            guard let name = node.as(DeclReferenceExprSyntax.self)?.baseName.text else { continue }
            hasStart = hasStart || isStart(name)
            hasEnd = hasEnd || isEnd(name)
        }
        return hasStart && hasEnd && block.isMeasuring
    }

    private static func returnsDuration(_ function: FunctionDeclSyntax) -> Bool {
        guard let body = function.body, body.trimmedLength.utf8Length < 600, body.isMeasuring,
            body.all(ForStmtSyntax.self).isEmpty,
            function.signature.returnClause != nil,
            let parameter = function.signature.parameterClause.parameters.first?.ownName
        else { return false }
        return measured(in: Syntax(body)).contains(parameter)
    }

    static func isStart(_ name: String) -> Bool {
        ["startDate", "start", "startTime", "startedAt", "begin", "from", "lowerBound"]
            .contains(name)
    }

    static func isEnd(_ name: String) -> Bool {
        ["endDate", "end", "endTime", "endedAt", "to", "upperBound", "until"].contains(name)
    }
}

extension SyntaxProtocol {
    /// Whether the code measures the time between two dates.
    fileprivate var isMeasuring: Bool {
        Syntax(self).descendants.contains { node in
            guard let name = node.as(DeclReferenceExprSyntax.self)?.baseName.text else {
                return false
            }
            return [
                "timeIntervalSince", "timeIntervalSinceReferenceDate", "timeIntervalSince1970",
                "distance", "dateComponents", "duration",
            ].contains(name)
        }
    }
}
