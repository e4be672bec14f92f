import SwiftSyntax

/// Reports a save that is repeated at every appearance or launch, or for each record at every sync,
/// without a sync identifier that would make the second save harmless.
struct DuplicateSave: Rule {
    let name = "duplicate-save"
    let summary = "samples saved anew at every appearance, launch or sync, which doubles them"
    let severity = Severity.warning

    func review(_ target: Target, _ report: inout Report) {
        guard !target.mentioned.contains("HKMetadataKeySyncIdentifier"),
            !target.mentioned.contains("HKMetadataKeyExternalUUID")
        else { return }
        for file in target.files where file.mentionsStore && !file.isTest {
            for call in target.writes(in: file) where call.calledName == "save" {
                if let occasion = target.occasion(of: call) {
                    report.add(
                        "this saves again \(occasion), and each copy counts in people's totals: save once, or give the sample a sync identifier",
                        at: call, in: file)
                } else if call.isInSyncOfRecords {
                    report.add(
                        "each run saves the same records again, and each copy counts: give the samples a sync identifier and a version, or remember what was saved",
                        at: call, in: file, severity: .note)
                }
            }
        }
    }
}

extension Target {
    /// Returns the repeated occasion on which a call certainly runs: "whenever the view appears".
    ///
    /// - Complexity: at most three callers deep, and 40 calls.
    fileprivate func occasion(of call: FunctionCallExprSyntax) -> String? {
        var pending = [(call, 0)]
        var seen = 0
        while let (call, depth) = pending.popLast(), seen < 40 {
            seen += 1
            guard let body = call.unconditionalBody else { continue }
            if let closure = body.as(ClosureExprSyntax.self) {
                let receiver = closure.receivingCall
                let name = receiver?.calledName
                if name == "onAppear" || name == "task" && receiver?.argument("id") == nil {
                    return "whenever the view appears"
                }
            } else if let function = body.as(FunctionDeclSyntax.self) {
                if let occasion = Self.occasions[function.name.text] { return occasion }
                guard depth < 3 else { continue }
                pending += calls(of: function).map { ($0.call, depth + 1) }
            }
        }
        return nil
    }

    private static let occasions = [
        "viewDidAppear": "whenever the view appears", "viewWillAppear": "whenever the view appears",
        "viewDidLoad": "whenever the view is loaded",
        "applicationDidBecomeActive": "whenever the app becomes active",
        "sceneDidBecomeActive": "whenever the app becomes active",
        "applicationWillEnterForeground": "whenever the app becomes active",
        "applicationDidFinishLaunching": "at every launch",
    ]
}

extension FunctionCallExprSyntax {
    /// The body that certainly leads to the call; nil if a condition other than availability and
    /// permission stands before it.
    fileprivate var unconditionalBody: Syntax? {
        var node = Syntax(self)
        while let parent = node.parent {
            if let test = parent.as(IfExprSyntax.self), node.id != Syntax(test.conditions).id {
                guard test.conditions.onlyAsksForPermission else { return nil }
            } else if parent.is(SwitchCaseSyntax.self) || parent.is(CatchClauseSyntax.self) {
                return nil
            } else if let list = parent.as(CodeBlockItemListSyntax.self) {
                for item in list where item.position < node.position {
                    let test = item.item.as(GuardStmtSyntax.self)
                    guard test?.conditions.onlyAsksForPermission != false else { return nil }
                    if item.leavesOnCondition { return nil }
                }
            } else if let closure = parent.as(ClosureExprSyntax.self) {
                guard let call = closure.receivingCall,
                    Self.continuing.contains(call.calledName ?? "")
                else { return parent }
            } else if parent.is(FunctionDeclSyntax.self) {
                return parent
            }
            node = parent
        }
        return nil
    }

    private static let continuing: Set<String> = [
        "Task", "async", "asyncAfter", "requestAuthorization", "run", "forEach", "authorize",
        "requestAccess", "requestPermission", "requestPermissions",
    ]

    /// Whether the call saves each record of a list, in a function that syncs.
    fileprivate var isInSyncOfRecords: Bool {
        guard let function = enclosing(FunctionDeclSyntax.self), let body = function.body else {
            return false
        }
        let words = function.name.text.camelCaseWords
        guard
            words.contains(where: {
                ["sync", "import", "export", "migrate", "restore"].contains($0)
            })
        else { return false }
        let loops =
            enclosing(ForStmtSyntax.self) != nil
            || body.all(FunctionCallExprSyntax.self).contains {
                ["map", "compactMap", "forEach"].contains($0.calledName ?? "")
                    && $0.closures.contains { $0.contains("HKQuantitySample") }
            }
        return loops && body.contains("HKQuantitySample") && !body.remembersRecords
    }
}

extension CodeBlockItemSyntax {
    /// Whether the statement is an `if` that leaves, for another reason than permission.
    fileprivate var leavesOnCondition: Bool {
        let test =
            item.as(ExpressionStmtSyntax.self)?.expression.as(IfExprSyntax.self)
            ?? item.as(IfExprSyntax.self)
        guard let test else { return false }
        return test.body.statements.last?.item.is(ReturnStmtSyntax.self) == true
            && !test.conditions.onlyAsksForPermission
    }
}

extension ConditionElementListSyntax {
    /// Whether the conditions ask for nothing but what holds at every run: availability, types,
    /// permission, the object itself.
    fileprivate var onlyAsksForPermission: Bool {
        allSatisfy { element in
            if element.trimmedDescription.hasPrefix("let self") { return true }
            let words = Set(
                element.tokens(viewMode: .sourceAccurate).flatMap { $0.text.camelCaseWords })
            return !words.isDisjoint(with: [
                "available", "authorized", "authorization", "granted", "success", "error",
                "identifier", "store", "permission",
            ])
        }
    }
}

extension CodeBlockSyntax {
    /// Whether something tells saved records from new ones.
    fileprivate var remembersRecords: Bool {
        let marks: Set<String> = [
            "synced", "saved", "exported", "imported", "migrated", "existing", "known", "seen",
            "last", "since", "contains", "new", "delete", "pending", "unsynced", "metadata",
        ]
        return tokens(viewMode: .sourceAccurate).contains {
            !marks.isDisjoint(with: $0.text.camelCaseWords)
        }
    }
}
