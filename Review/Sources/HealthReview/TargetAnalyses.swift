import SwiftSyntax
import Synchronization

/// Analyses of a target that several rules need. Each is made once, by the rule that first asks.
final class TargetAnalyses: Sendable {
    let callbackBodies = OnFirstUse<[CallbackCode.Body]>()
    let replyFindings = OnFirstUse<[ReplyReview.Finding]>()
    let authorization = OnFirstUse<AuthorizationRequests>()
    let failedReads = OnFirstUse<[FailurePassage]>()
    let lifetimes = OnFirstUse<Lifetimes>()
    let metricRows = OnFirstUse<[MetricRow]>()
    let storedValues = OnFirstUse<[String: [ExprSyntax]]>()
    /// What names refer to, by the place of their use: most rules ask for the same ones.
    let bindings = Mutex<[NameUse: Binding?]>([:])
}

/// A name at a place in the code.
struct NameUse: Hashable, Sendable {
    let name: String
    let node: SyntaxIdentifier
}

/// A value that is made when it is first asked for. Other threads wait for it.
final class OnFirstUse<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)

    /// Returns the value, made by the closure if this is the first call.
    ///
    /// The closure must not ask for the same value.
    func callAsFunction(_ make: () -> Value) -> Value {
        value.withLock { known in
            if let known { return known }
            let made = make()
            known = made
            return made
        }
    }
}

extension Target {
    /// The code that runs off the main queue.
    var callbackBodies: [CallbackCode.Body] {
        analyses.callbackBodies { CallbackCode(self).bodies }
    }

    /// What is wrong with the calls of callbacks that must be called once.
    var replyFindings: [ReplyReview.Finding] {
        analyses.replyFindings { ReplyReview(self).findings }
    }

    /// The types that the target's authorization requests name.
    var authorization: AuthorizationRequests {
        analyses.authorization { AuthorizationRequests(self) }
    }

    /// What the target does after a read of HealthKit has failed.
    var failedReads: [FailurePassage] {
        analyses.failedReads { FailurePassages.ofReads(self).all }
    }

    /// The types whose instances live as long as the app.
    var lifetimes: Lifetimes { analyses.lifetimes { Lifetimes(self) } }
}
