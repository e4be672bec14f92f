import SwiftSyntax

/// Calls that end the process because of the user's data, in addition to `try!` and `as!`.
let traps: Set<String> = ["fatalError", "preconditionFailure"]

/// The only file that may trap: where Apple raises an exception and the signature can't report an
/// error.
let refusals = "Sources/OpenHealthKit/Misuse.swift"

/// Functions that print. They are forbidden outside the command and the tools.
let prints: Set<String> = ["print", "debugPrint", "dump", "NSLog"]

extension SourceFile {
    /// Traps in handwritten code, and output from a library.
    var trapsAndPrints: [Breach] {
        var found = path == refusals ? [] : trappingCode
        if let room, room != "openhealth" {
            found += all(FunctionCallExprSyntax.self).compactMap { call in
                call.freeFunction.flatMap {
                    prints.contains($0) ? breach("\($0)(…) in a library", at: call) : nil
                }
            }
        }
        return found
    }

    private var trappingCode: [Breach] {
        let calls = all(FunctionCallExprSyntax.self).compactMap { call in
            call.freeFunction.flatMap {
                traps.contains($0) ? breach("\($0)(…) ends the process", at: call) : nil
            }
        }
        let tries = all(TryExprSyntax.self).filter { $0.questionOrExclamationMark?.text == "!" }
            .map { breach("try! ends the process", at: $0) }
        let casts = all(UnresolvedAsExprSyntax.self)
            .filter { $0.questionOrExclamationMark?.text == "!" }
            .map { breach("as! ends the process", at: $0) }
        return calls + tries + casts
    }
}
