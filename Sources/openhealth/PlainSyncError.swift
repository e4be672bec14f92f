import Foundation
import HealthSync
import OpenHealthKit

/// What keeps a watcher, a mirror or the health store from working, as a sentence with what to do.
struct PlainSyncError: PlainError {
    var description: String

    init(_ error: any Error) { description = Self.sentence(error) }

    private static func sentence(_ error: any Error) -> String {
        switch error {
        case let error as any PlainError: error.description
        case let error as SyncError: sentence(error)
        case let error as MirrorError: sentence(error)
        case let error as WriteRefusal: error.sentence
        case let error as HKError: error.reason
        default: "This can't be done now: \(error.localizedDescription)"
        }
    }

    private static func sentence(_ error: SyncError) -> String {
        switch error {
        case .positionMoved: "Another process reads under the same name. Try again."
        case .newerFile(let version):
            "The file beside the store was written by a newer openhealth (version \(version)): use "
                + "that one."
        case .foreignFile:
            "A file beside the store isn't openhealth's: move it away, or say --store."
        case .busy: "The store keeps changing. Try again."
        }
    }

    private static func sentence(_ error: MirrorError) -> String {
        switch error {
        case .diskFull: "The disk is full. Free some room, then try again; nothing is lost."
        case .busy: "Another process keeps the mirror beside the store. Try again."
        case .unavailable: "The file or its folder can't be used: see who may read and write it."
        case .corrupt:
            "The mirror beside the store is damaged. Move it away: it is made anew from the store, "
                + "without notes, tags and photos."
        case .unknownEntry: "There is no such weight."
        case .unknownAttachment: "There is no such note, tag or photo."
        case .invalidAttachment: "A note or tag needs a word."
        case .unknownPhoto: "The photo is no longer there."
        case .failed(let code): "The mirror beside the store reports error \(code). Try again."
        }
    }
}
