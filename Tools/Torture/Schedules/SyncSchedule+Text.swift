extension SyncSchedule: CustomStringConvertible {
    /// A line for each event, for people.
    public var description: String {
        let types = settings.types.map(\.rawValue).joined(separator: ", ")
        let limit = settings.limit == .samples ? "samples" : "samples and deletions"
        var lines = [
            "tracks \(types); reads \(settings.pageSize) \(limit) at a time; "
                + (settings.attention == .observing ? "observes" : "looks when told to")
        ]
        for (index, event) in events.enumerated() { lines.append("\(index + 1). \(event)") }
        return lines.joined(separator: "\n")
    }
}

extension SyncEvent: CustomStringConvertible {
    /// "when the transaction is begun for the 2nd time: the process dies".
    public var description: String {
        switch self {
        case .happens(let fault): "\(fault)"
        case .strikes(let fault, let moment): "armed, after \(moment): \(fault)"
        case .app(let action): "the app: \(action)"
        }
    }

    /// Whether it is a fault, now or later.
    var fault: SyncFault? {
        switch self {
        case .happens(let fault), .strikes(let fault, _): fault
        case .app: nil
        }
    }
}

extension SyncMoment: CustomStringConvertible {
    /// "pageRead" or "pageRead, the 3rd".
    public var description: String {
        let endings = [1: "st", 2: "nd", 3: "rd"]
        return occurrence == 1
            ? step.rawValue : "\(step.rawValue), the \(occurrence)\(endings[occurrence] ?? "th")"
    }
}

extension AppAction: CustomStringConvertible {
    /// "logs weight 4".
    public var description: String {
        switch kind {
        case .sync: "reads what changed"
        case .log: "logs weight \(number)"
        case .edit: "corrects weight \(number)"
        case .remove: "removes weight \(number)"
        case .attach: "hangs a note on sample \(number)"
        case .recover: "recovers"
        case .reconcile: "reconciles"
        case .relaunch: "is closed and opened again"
        case .untrack: "tracks \(type.rawValue) no more"
        case .track: "tracks \(type.rawValue) again"
        }
    }
}

extension SyncFault: CustomStringConvertible {
    /// "watch saves heartRate 7–9, eleven hours old".
    public var description: String {
        let numbers = count > 1 ? "\(number)–\(number + count - 1)" : "\(number)"
        let samples = "\(type.rawValue) \(numbers)"
        return switch kind {
        case .save: "\(writer.rawValue) saves \(samples)"
        case .edit: "a higher version of sample \(number) is saved"
        case .deletion: "sample \(number) is deleted"
        case .lateBatch: "\(writer.rawValue) saves \(samples), eleven hours old"
        case .duplicateUUID: "sample \(number) is saved again under its UUID"
        case .equalVersion: "sample \(number) is saved again in its version"
        case .lowerVersion: "a lower version of sample \(number) is saved"
        case .shareRevoked: "saving \(type.rawValue) is forbidden"
        case .readRevoked: "reading \(type.rawValue) is forbidden"
        case .limitedHistory: "reading \(type.rawValue) is limited to two days"
        case .lock: "the device locks"
        case .healthDiskFull: "the health store's disk is full"
        case .mirrorDiskFull: "the app's disk is full"
        case .clockForward: "the clock jumps ten days forward"
        case .clockBack: "the clock jumps ten days back"
        case .travel: "the person flies to another zone"
        case .anchorLost: "the app's positions are lost"
        case .anchorForeign: "the app's positions become another store's"
        case .tombstonesPurged: "eight days pass, and old deletions are forgotten"
        case .tombstonesPurgedEarly: "all deletions are forgotten"
        case .importUndone: "a newer export no longer holds what was imported"
        case .emptyPhone: "the app wakes on a phone without data"
        case .observerStorm: "\(writer.rawValue) saves \(samples), one by one"
        case .observerSilence: "the health store falls silent"
        case .taskCancelled: "the work is cancelled"
        case .processKilled: "the process dies"
        case .shareGranted: "saving \(type.rawValue) is allowed"
        case .readGranted: "reading \(type.rawValue) is allowed"
        case .unlock: "the device is unlocked"
        case .diskFreed: "there is room on the disks"
        case .imported: "an export brings \(samples)"
        }
    }
}
