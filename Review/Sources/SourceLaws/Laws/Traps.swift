import SwiftSyntax

/// Functions that end the process. Calls of them are forbidden, as are `try!` and `as!`, because a
/// user's data must not end the process.
let traps: Set<String> = ["fatalError", "preconditionFailure"]

/// The only file that may trap. Its functions are used where Apple's HealthKit raises an exception
/// and the signature can't report an error.
let refusals = "Sources/OpenHealthKit/Misuse.swift"

/// Functions that print. They are forbidden in the targets under `Sources`, except in the command
/// `openhealth`.
let prints: Set<String> = ["print", "debugPrint", "dump", "NSLog"]

extension SourceFile {
    /// Code that ends the process in any file except ``refusals``: calls of ``traps``, `try!` and
    /// `as!`. Also calls of ``prints`` in the targets under `Sources` except `openhealth`.
    var trapsAndPrints: [Violation] {
        var found = path == refusals ? [] : trappingCode
        if let target, target != "openhealth" {
            found += all(FunctionCallExprSyntax.self).compactMap { call in
                call.freeFunction.flatMap {
                    prints.contains($0) ? violation("\($0)(…) in a library", at: call) : nil
                }
            }
        }
        return found
    }

    private var trappingCode: [Violation] {
        let calls = all(FunctionCallExprSyntax.self).compactMap { call in
            call.freeFunction.flatMap {
                traps.contains($0) ? violation("\($0)(…) ends the process", at: call) : nil
            }
        }
        let tries = all(TryExprSyntax.self).filter { $0.questionOrExclamationMark?.text == "!" }
            .map { violation("try! ends the process", at: $0) }
        let casts = all(UnresolvedAsExprSyntax.self)
            .filter { $0.questionOrExclamationMark?.text == "!" }
            .map { violation("as! ends the process", at: $0) }
        return calls + tries + casts
    }
}
