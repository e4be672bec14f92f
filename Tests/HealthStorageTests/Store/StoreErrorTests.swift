import Foundation
import HealthEngine
import Testing

@testable import HealthStorage

@Suite("errors of a store say what is wrong and where, without a remedy")
struct StoreErrorTests {
    private static let uuid = SampleUUID(high: 1, low: 2)

    private static let ofFiles: [StoreError.Reason] = [
        .noStore(at: "/x"), .emptyFile(at: "/x"), .folder(at: "/x"),
        .specialFile(at: "/x", kind: "a pipe"), .specialFileBeside(at: "/x-wal", kind: "a pipe"),
        .danglingLink(at: "/x", to: "/y"), .folderNotCreated("/x"),
        .notAccessible(at: "/x", .read), .notAccessible(at: "/x", .write),
        .notAccessible(at: "/x", .open), .noStoreFile(at: "/x"), .foreignDatabase(at: "/x"),
        .writtenByNewerVersion(at: "/x"), .writtenByOlderVersion(at: "/x"),
        .builtFromLog(at: "/x"),
        .alteredSchema(in: "x", difference: "table y was added"),
        .damagedValue(at: "sample.value, row 1"), .missingRow(at: "route, row 1"),
        .damagedSegments, .damagedFile(at: "/x", detail: "page 2"), .busy(file: "x"),
        .importRunning(into: "/x"), .storeAppeared(at: "/x"), .diskFull(file: "x"),
        .sqliteTooOld(version: "3.7"), .closed,
        .unusable(at: "/x", detail: "out of memory", resultCode: 7),
        .valueRejected(at: "sample.value", detail: "too big", resultCode: 18),
        .fileExists(at: "/x"), .folderExists(at: "/x"), .specialFileExists(at: "/x"),
        .storeExists(at: "/x", isMainFile: true), .storeExists(at: "/x-wal", isMainFile: false),
    ]

    private static let ofArguments: [StoreError.Reason] = [
        .cancelled, .unknownType("x"), .unknownTypeCode(7),
        .unknownSource("x", known: [], count: 0), .unknownSource("x", known: ["y"], count: 1),
        .unknownSource("x", known: ["y"], count: 2),
        .ambiguousSource("x", identifiers: ["com.example.x", "com.example.y"]),
        .repeatedSource(["x", "x"]), .invalidBundleIdentifier("x y"),
        .bundleIdentifierTaken("com.example.x", by: "x"), .unknownTimeZone("Mars"),
        .unknownSample(uuid), .notOwner(uuid, bundleIdentifier: "com.example.x"),
        .unknownChange(9), .noStatistics(type: "x"), .notSummed(type: "x"),
        .nothingToMerge(type: "x"), .noDurations(type: "x"), .noDefaultUnit(type: "x"),
        .unitMismatch(type: "x", unit: "kg", detail: "unknown symbol"),
        .tooManySources(65, limit: 64),
        .invalidStatement(.missingColumn("x"), sql: "SELECT 1"),
        .invalidStatement(.notOneColumn, sql: "SELECT 1"),
        .invalidStatement(.mismatchedNames, sql: "SELECT 1"),
        .invalidImport(.unfinished), .invalidImport(.alreadyFinished),
        .invalidImport(.otherTypeCode(type: "x")), .invalidBatch(.empty),
        .invalidBatch(.uuidCount(samples: 2, uuids: 1)),
        .invalidBatch(.violation(.times(sample: 1))), .invalidBatch(.endsBeforeStart(sample: 1)),
        .invalidBatch(.noBundleIdentifier), .invalidBatch(.nulCharacter),
        .invalidBatch(.repeatedUUID(uuid)), .invalidBatch(.storedUUID(uuid)), .preferenceTooLong,
        .invalidNote(.tooLong), .invalidNote(.tooMany), .invalidNote(.noSuchDay),
        .unknownAttachment(uuid), .invalidAttachment(.invalidName),
        .invalidAttachment(.metadataTooLong), .invalidAttachment(.storedUUID),
        .invalidAttachment(.unevenChunk),
    ]

    private static let operations: [StoreError.FileOperation] = [
        .create, .write, .readOrWrite, .synchronize, .move, .removeLeftover,
    ]

    private static let faults: [FileFault] = [
        .diskFull, .sizeLimit(bytes: 8192), .tooLarge, .diskFailing, .system(EACCES),
        .library("zlib failed"),
    ]

    private static let ofFaults = operations.flatMap { operation in
        faults.map { StoreError.Reason.fileFailed(operation, at: "/x", $0) }
    }

    /// Beginnings of sentences that tell people what to do.
    private static let remedies = [
        "Use", "Try", "Choose", "Check", "Run", "Remove", "Free", "Raise", "Name", "Wait", "List",
        "Import",
    ]

    @Test("a description is whole sentences that name no command, no option and no remedy")
    func neutral() {
        let reasons = Self.ofFiles + Self.ofArguments + Self.ofFaults
        for reason in reasons {
            let text = StoreError(reason).description
            #expect(text.hasSuffix(".") && !text.hasSuffix(".."), "\(text)")
            #expect(!text.contains("openhealth") && !text.contains("--"), "\(text)")
            #expect(!text.contains("`") && !text.contains("ulimit"), "\(text)")
            #expect(text != "The operation failed.", "\(reason.code)")
            for sentence in text.components(separatedBy: ". ").dropFirst() {
                #expect(!Self.remedies.contains { sentence.hasPrefix($0 + " ") }, "\(text)")
            }
        }
        // Only these two say the same: the path of a store or of a new file is a folder.
        #expect(Set(reasons.map(\.description)).count == reasons.count - 1)
    }

    @Test("every case has an example here")
    func examples() {
        let names = (Self.ofFiles + Self.ofArguments + Self.ofFaults).map(Self.name)
        #expect(Set(names).count == 57)
    }

    /// Returns the name of a case. A new case needs a line here or in the next function, an example,
    /// and the next count.
    private static func name(_ reason: StoreError.Reason) -> String {
        switch reason {
        case .unknownType: "unknownType"
        case .unknownTypeCode: "unknownTypeCode"
        case .unknownSource: "unknownSource"
        case .ambiguousSource: "ambiguousSource"
        case .repeatedSource: "repeatedSource"
        case .invalidBundleIdentifier: "invalidBundleIdentifier"
        case .bundleIdentifierTaken: "bundleIdentifierTaken"
        case .unknownTimeZone: "unknownTimeZone"
        case .unknownSample: "unknownSample"
        case .notOwner: "notOwner"
        case .unknownAttachment: "unknownAttachment"
        case .invalidAttachment: "invalidAttachment"
        case .unknownChange: "unknownChange"
        default: otherName(reason)
        }
    }

    private static func otherName(_ reason: StoreError.Reason) -> String {
        switch reason {
        case .noStore: "noStore"
        case .emptyFile: "emptyFile"
        case .folder: "folder"
        case .specialFile: "specialFile"
        case .specialFileBeside: "specialFileBeside"
        case .danglingLink: "danglingLink"
        case .folderNotCreated: "folderNotCreated"
        case .notAccessible: "notAccessible"
        case .noStoreFile: "noStoreFile"
        case .foreignDatabase: "foreignDatabase"
        case .writtenByNewerVersion: "writtenByNewerVersion"
        case .writtenByOlderVersion: "writtenByOlderVersion"
        case .builtFromLog: "builtFromLog"
        case .alteredSchema: "alteredSchema"
        case .damagedValue: "damagedValue"
        case .missingRow: "missingRow"
        case .damagedSegments: "damagedSegments"
        case .damagedFile: "damagedFile"
        case .busy: "busy"
        case .importRunning: "importRunning"
        case .storeAppeared: "storeAppeared"
        case .diskFull: "diskFull"
        case .fileFailed: "fileFailed"
        case .sqliteTooOld: "sqliteTooOld"
        case .closed: "closed"
        case .unusable: "unusable"
        case .valueRejected: "valueRejected"
        case .invalidStatement: "invalidStatement"
        case .cancelled: "cancelled"
        case .invalidImport: "invalidImport"
        case .invalidBatch: "invalidBatch"
        case .preferenceTooLong: "preferenceTooLong"
        case .invalidNote: "invalidNote"
        case .noStatistics: "noStatistics"
        case .notSummed: "notSummed"
        case .nothingToMerge: "nothingToMerge"
        case .noDurations: "noDurations"
        case .noDefaultUnit: "noDefaultUnit"
        case .unitMismatch: "unitMismatch"
        case .tooManySources: "tooManySources"
        case .fileExists: "fileExists"
        case .folderExists: "folderExists"
        case .specialFileExists: "specialFileExists"
        case .storeExists: "storeExists"
        // Named above.
        case .unknownType, .unknownTypeCode, .unknownSource, .ambiguousSource, .repeatedSource,
            .invalidBundleIdentifier, .bundleIdentifierTaken, .unknownTimeZone, .unknownSample,
            .notOwner, .unknownAttachment, .invalidAttachment, .unknownChange:
            ""
        }
    }

    @Test("a full disk or a size limit is the same code for every operation")
    func codes() {
        for operation in Self.operations {
            func code(_ fault: FileFault) -> StoreError.Code {
                StoreError(.fileFailed(operation, at: "/x", fault)).code
            }
            #expect(code(.diskFull) == .full && code(.sizeLimit(bytes: 1)) == .full)
            #expect(code(.diskFailing) == .failed && code(.library("x")) == .failed)
            #expect(code(.system(EACCES)) == (operation == .synchronize ? .failed : .notPermitted))
        }
        #expect(FileFault(errorNumber: ENOSPC) == .diskFull)
        #expect(FileFault(errorNumber: EACCES) == .system(EACCES))
    }

    @Test("a sample that is saved twice, or never was, is named in the reason")
    func samples() throws {
        let store = try SampleStore.inMemory()
        try store.save(1, .steps, 0)
        let twice = #expect(throws: StoreError.self) { try store.save(1, .steps, 0) }
        #expect(twice?.reason == .invalidBatch(.storedUUID(1)))
        let none = #expect(throws: StoreError.self) { try store.associate([99], with: 1) }
        #expect(none?.reason == .unknownSample(99))
        let early = #expect(throws: StoreError.self) { try store.changes(.steps, after: 77) }
        #expect(early?.reason == .unknownChange(77))
    }
}
