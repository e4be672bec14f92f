/// The words that mark a name or a text as being about permission.
enum PermissionVocabulary {
    static func isPermission(_ name: String) -> Bool {
        let name = name.lowercased()
        return permitting.contains { name.contains($0) } && !asking.contains { name.contains($0) }
    }

    /// Returns whether a name like `requestPermissions` or `authorize` only describes a request.
    static func namesRequest(_ name: String) -> Bool {
        let name = name.lowercased()
        return ["authoriz", "authoris", "permission", "access"].contains { name.contains($0) }
    }

    private static let permitting = [
        "authoriz", "authoris", "permission", "granted", "access", "allowed", "permitted",
        "canread",
        "isauthed", "healthenabled", "healthkitenabled", "healthconnected", "healthkitconnected",
    ]
    private static let asking = [
        "request", "asked", "prompt", "shown", "present", "handled", "finish", "complete",
        "determined",
        "done", "error", "share", "write", "needs", "should", "attempt", "tried", "denied", "fail",
        "accessib", "token",
    ]

    static let answers: Set<String> = [
        "authorized", "authorised", "granted", "denied", "allowed", "unauthorized", "notAuthorized",
        "sharingAuthorized", "sharingDenied",
    ]
    static let denials: Set<String> = [
        "denied", "unauthorized", "notAuthorized", "refused", "sharingDenied",
    ]
    static let reports = [
        "denied", "granted", "authorized", "authorised", "no access", "no permission",
        "not allowed",
        "refused", "declined", "access given", "permission given", "access enabled",
        "permission enabled",
    ]
    static let logs: Set<String> = [
        "print", "debugPrint", "NSLog", "os_log", "log", "info", "debug", "error", "warning",
        "notice",
        "fault", "trace", "critical", "NSError", "failure", "assertionFailure",
    ]
}
