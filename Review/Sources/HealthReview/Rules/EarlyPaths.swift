import SwiftSyntax

/// Determines whether a path calls an observer's completion handler and also starts work that ends
/// later: a query with a handler, a `Task`, an upload.
struct EarlyPaths: PathAnalysis {
    struct Path {
        var startsWork = false
        var call: FunctionCallExprSyntax?
    }

    let target: Target
    /// The names of the completion handler and of wrappers: `let finish = { completion() }`.
    private(set) var names: Set<String>
    /// The first call that comes before the end of the work.
    private(set) var early: FunctionCallExprSyntax?
    /// The calls that start work.
    private(set) var works: [FunctionCallExprSyntax] = []
    /// The functions of the target that receive the completion handler.
    private(set) var handedOn: [(statements: CodeBlockItemListSyntax, names: Set<String>)] = []

    init(target: Target, names: Set<String>) { (self.target, self.names) = (target, names) }

    mutating func visit(_ node: Syntax, _ state: inout [Path]) {
        if let function = node.as(FunctionDeclSyntax.self) {
            if mentions(node) { names.insert(function.name.text) }
            return
        }
        if let (name, value) = node.onlyBinding, value.is(ClosureExprSyntax.self),
            mentions(Syntax(value))
        {
            names.insert(name)
            return
        }
        let calls = node.outsideOfClosures.compactMap { $0.as(FunctionCallExprSyntax.self) }
        var work = StartedWork(target: target)
        for call in calls {
            if call.calledExpression.bare.ownName.map(names.contains) == true {
                for place in state.indices where state[place].call == nil {
                    state[place].call = call
                }
            } else if names.contains(where: { name in call.mentions(name) }) {
                follow(call)
            } else if work.isStarted(by: call) {
                for place in state.indices { state[place].startsWork = true }
                works.append(call)
            }
        }
    }

    mutating func postpone(_ body: CodeBlockItemListSyntax, _ state: inout [Path]) {
        let call = body.all(FunctionCallExprSyntax.self).first {
            $0.calledExpression.bare.ownName.map(names.contains) == true
        }
        guard let call else { return }
        for place in state.indices where state[place].call == nil { state[place].call = call }
    }

    func joined(_ one: [Path], _ other: [Path]) -> [Path] {
        var all = one
        for path in other
        where !all.contains(where: {
            $0.startsWork == path.startsWork && ($0.call == nil) == (path.call == nil)
        }) {
            all.append(path)
        }
        return all
    }

    mutating func leave(_ end: PathEnd, _ state: [Path]) {
        guard early == nil else { return }
        early = state.first { $0.startsWork && $0.call != nil }?.call
    }

    private func mentions(_ node: Syntax) -> Bool { names.contains { node.mentions($0) } }

    /// Follows the completion handler into a function of the target that it is passed to.
    private mutating func follow(_ call: FunctionCallExprSyntax) {
        guard let function = target.function(calledBy: call), let body = function.body else {
            return
        }
        let known = KnownCall(function: function, call: call)
        for parameter in function.signature.parameterClause.parameters {
            guard let name = known.argument(for: parameter)?.bare.ownName, names.contains(name)
            else { continue }
            handedOn.append((body.statements, [parameter.ownName]))
        }
    }
}

/// Determines whether a call starts work that goes on after the call.
struct StartedWork {
    let target: Target
    private var seen: Set<SyntaxIdentifier> = []

    init(target: Target) { self.target = target }

    /// - Complexity: bounded: four functions deep, each function once.
    mutating func isStarted(by call: FunctionCallExprSyntax, depth: Int = 0) -> Bool {
        guard depth < 4, !call.isAwaited, let name = call.calledName else { return false }
        switch name {
        case "execute":
            return call.unlabelledArgument(0).map { endsLater($0) } ?? false
        case "Task", "detached":
            guard let closure = call.closures.last else { return false }
            return awaitsWork(Syntax(closure.statements), depth)
                || starts(Syntax(closure.statements), depth)
        case "async", "asyncAfter", "perform":
            return call.closures.contains { starts(Syntax($0.statements), depth) }
        case "addOperation":
            return call.base?.contains("main") != true && call.closures.isEmpty
        case "dataTask", "uploadTask", "downloadTask": return !call.closures.isEmpty
        default: break
        }
        if FunctionCallExprSyntax.runAtOnce.contains(name), let closure = call.closures.first {
            return starts(Syntax(closure.statements), depth)
        }
        guard let function = target.function(calledBy: call), let body = function.body,
            function.signature.effectSpecifiers?.asyncSpecifier == nil,
            seen.insert(function.id).inserted, !body.statements.waitsForWork
        else { return false }
        return starts(Syntax(body.statements), depth)
    }

    /// Returns whether code starts such work itself, outside of closures that run later.
    private mutating func starts(_ node: Syntax, _ depth: Int) -> Bool {
        for inner in node.outsideOfClosures {
            guard let call = inner.as(FunctionCallExprSyntax.self) else { continue }
            if isStarted(by: call, depth: depth + 1) { return true }
        }
        return false
    }

    /// Returns whether an executed query answers once and later.
    private func endsLater(_ query: ExprSyntax) -> Bool {
        target.origins(of: query).contains { origin in
            guard let call = origin.as(FunctionCallExprSyntax.self), let query = HealthQuery(call)
            else { return false }
            return query.kind != .observer && !target.isLongRunning(query)
        }
    }

    /// Returns whether code waits for more than a hop to another actor.
    private mutating func awaitsWork(_ node: Syntax, _ depth: Int) -> Bool {
        for awaited in node.all(AwaitExprSyntax.self) {
            guard let call = awaited.expression.bare.as(FunctionCallExprSyntax.self) else {
                return !awaited.expression.is(DeclReferenceExprSyntax.self)
            }
            if call.base?.bare.ownName == "MainActor" || call.calledName == "sleep" { continue }
            guard let function = target.function(calledBy: call), let body = function.body else {
                return true
            }
            guard depth < 4, seen.insert(function.id).inserted else { continue }
            if body.contains("withCheckedContinuation")
                || body.contains("withCheckedThrowingContinuation")
                || awaitsWork(Syntax(body), depth + 1) || starts(Syntax(body.statements), depth)
            {
                return true
            }
        }
        return false
    }
}

extension StartedWork {
    /// Returns whether work is short and stays on the device: a query for what a screen shows, a
    /// notification. Nothing is lost where the app is suspended in its middle.
    ///
    /// - Complexity: bounded: 24 functions.
    func isShort(_ call: FunctionCallExprSyntax) -> Bool {
        var pending = [Syntax(call)]
        var seen: Set<SyntaxIdentifier> = []
        while let node = pending.popLast() {
            guard seen.insert(node.id).inserted else { continue }
            guard seen.count < 24 else { return false }
            for call in node.all(FunctionCallExprSyntax.self) {
                if let body = target.function(calledBy: call)?.body {
                    pending.append(Syntax(body))
                } else if call.calledName == "addOperation", call.closures.isEmpty {
                    return false  // What the operation does isn't followed.
                } else if call.isLasting || HealthQuery(call)?.kind == .anchored
                    || call.isAwaited && !call.isLocal || target.keeps(call)
                {
                    return false
                }
            }
        }
        return true
    }
}

extension FunctionCallExprSyntax {
    /// Whether a name says that data leaves the app or is stored.
    fileprivate var isLasting: Bool {
        let base = base?.bare.lastName ?? ""
        if contains("NotificationCenter") || contains("UNUserNotificationCenter") { return false }
        if let made = constructedName, made.first?.isUppercase == true {
            return made.hasPrefix("URL")
        }
        let words = (calledName ?? "").camelCaseWords + base.camelCaseWords
        return !Self.lastingWords.isDisjoint(with: words.map { $0.lowercased() })
    }

    private static let lastingWords: Set<String> = [
        "upload", "send", "sync", "post", "submit", "transmit", "push", "export", "backup",
        "import", "insert", "save", "store", "persist", "write", "delete", "remove", "session",
        "api", "client", "server", "network", "remote", "cloud", "database", "repository",
        "request",
    ]

    /// Whether an awaited call of a framework ends soon: a query, a hop to an actor, a notice.
    fileprivate var isLocal: Bool {
        if HealthQuery(self) != nil || constructedName?.first?.isUppercase == true { return true }
        let isOfNotices = contains("UNUserNotificationCenter")
        let name = calledName ?? ""
        if ["result", "results"].contains(name) { return argument("for") != nil }
        return isOfNotices
            || [
                "run", "sleep", "yield", "resume", "withCheckedContinuation", "execute",
                "withCheckedThrowingContinuation", "predicateForSamples", "count", "doubleValue",
                "sumQuantity", "reloadAllTimelines", "reloadTimelines", "notificationSettings",
            ].contains(name)
    }
}

extension CodeBlockItemListSyntax {
    /// Whether the code waits for its work, or keeps the app running meanwhile: `semaphore.wait()`,
    /// `beginBackgroundTask`.
    var waitsForWork: Bool {
        Syntax(self).outsideOfClosures.contains { node in
            guard let name = node.as(FunctionCallExprSyntax.self)?.calledName else { return false }
            return [
                "wait", "waitUntilAllOperationsAreFinished", "beginBackgroundTask",
                "performExpiringActivity", "waitForExpectations",
            ].contains(name)
        }
    }
}
