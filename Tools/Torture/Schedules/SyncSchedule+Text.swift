extension SyncSchedule: CustomStringConvertible {
    /// The schedule as text, one line for each event.
    var description: String {
        let types = settings.types.map(\.rawValue).joined(separator: ", ")
        let limit = settings.limit == .samples ? "samples" : "samples and deletions"
        var lines = [
            "tracks \(types); reads \(settings.pageSize) \(limit) at a time; "
                + (settings.attention == .observing ? "observes" : "reads on request")
        ]
        for (index, event) in events.enumerated() { lines.append("\(index + 1). \(event)") }
        return lines.joined(separator: "\n")
    }
}

extension SyncEvent: CustomStringConvertible {
    /// The event as text. A fault that waits for the step `pageRead` gives "armed, after pageRead:
    /// the process is killed".
    var description: String {
        switch self {
        case .happens(let fault): "\(fault)"
        case .injected(let fault, let moment): "armed, after \(moment): \(fault)"
        case .app(let action): "the app: \(action)"
        }
    }

    /// The fault that occurs or is armed; nil for an action of the app.
    var fault: SyncFault? {
        switch self {
        case .happens(let fault), .injected(let fault, _): fault
        case .app: nil
        }
    }
}

extension SyncMoment: CustomStringConvertible {
    /// The step and its occurrence as text: "pageRead" or "pageRead, the 3rd".
    var description: String {
        let endings = [1: "st", 2: "nd", 3: "rd"]
        return occurrence == 1
            ? step.rawValue : "\(step.rawValue), the \(occurrence)\(endings[occurrence] ?? "th")"
    }
}

extension AppAction: CustomStringConvertible {
    /// The action as text: "logs weight 4".
    var description: String {
        switch kind {
        case .sync: "reads changes"
        case .log: "logs weight \(number)"
        case .edit: "edits weight \(number)"
        case .remove: "removes weight \(number)"
        case .attach: "attaches a note to sample \(number)"
        case .recover: "recovers"
        case .reconcile: "reconciles"
        case .relaunch: "is closed and opened again"
        case .untrack: "stops tracking \(type.rawValue)"
        case .track: "tracks \(type.rawValue) again"
        }
    }
}

extension SyncFault: CustomStringConvertible {
    /// The fault as text: "watch saves heartRate 7–9, eleven hours old".
    var description: String {
        let numbers = count > 1 ? "\(number)–\(number + count - 1)" : "\(number)"
        let samples = "\(type.rawValue) \(numbers)"
        return switch kind {
        case .save: "\(writer.rawValue) saves \(samples)"
        case .edit: "a higher version of sample \(number) is saved"
        case .deletion: "sample \(number) is deleted"
        case .lateBatch: "\(writer.rawValue) saves \(samples), eleven hours old"
        case .duplicateUUID: "sample \(number) is saved again under its UUID"
        case .equalVersion: "sample \(number) is saved again with the same version"
        case .lowerVersion: "a lower version of sample \(number) is saved"
        case .shareRevoked: "saving \(type.rawValue) is forbidden"
        case .readRevoked: "reading \(type.rawValue) is forbidden"
        case .limitedHistory: "reading \(type.rawValue) is limited to two days"
        case .lock: "the device locks"
        case .healthDiskFull: "the health store's disk is full"
        case .mirrorDiskFull: "the app's disk is full"
        case .clockForward: "the clock jumps ten days forward"
        case .clockBack: "the clock jumps ten days back"
        case .travel: "the time zone changes"
        case .anchorLost: "the app's positions are lost"
        case .anchorForeign: "the app's positions are replaced by those of another store"
        case .tombstonesPurged: "eight days pass, and old tombstones are purged"
        case .tombstonesPurgedEarly: "all tombstones are purged"
        case .importUndone: "a newer export no longer contains the imported samples"
        case .emptyPhone: "the app starts on a phone without data"
        case .observerStorm: "\(writer.rawValue) saves \(samples), one by one"
        case .observerSilence: "the health store stops notifying observers"
        case .taskCancelled: "the task is cancelled"
        case .processKilled: "the process is killed"
        case .shareGranted: "saving \(type.rawValue) is allowed"
        case .readGranted: "reading \(type.rawValue) is allowed"
        case .unlock: "the device is unlocked"
        case .diskFreed: "space on the disks is freed"
        case .imported: "an export with \(samples) is imported"
        }
    }
}
