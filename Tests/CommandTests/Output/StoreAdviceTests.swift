import HealthArchive
import HealthServer
import HealthStorage
import Testing

@testable import openhealth

@Suite("the command adds what to do to an error")
struct StoreAdviceTests {
    static let files: [(StoreError.Reason, String)] = [
        (.noStore(at: "/x"), "Create one: openhealth import export.zip"),
        (.emptyFile(at: "/x"), "Import an export: openhealth import export.zip"),
        (.folder(at: "/x"), "Name a file in it, for example /x/health.sqlite."),
        (.specialFile(at: "/x", kind: "a pipe"), "Choose a store with --store."),
        (.specialFileBeside(at: "/x-wal", kind: "a pipe"), "Remove it."),
        (
            .folderNotCreated("/x"),
            "Check the permissions of its parent folder, or choose another path with --store."
        ),
        (.notAccessible(at: "/x", .read), "Check its permissions."),
        (.notAccessible(at: "/x", .write), "Check its permissions."),
        (
            .notAccessible(at: "/x", .open),
            "Check the permissions of the file and of its folder."
        ),
        (.noStoreFile(at: "/x"), "Choose a store with --store."),
        (.foreignDatabase(at: "/x"), "Choose a store with --store."),
        (
            .writtenByNewerVersion(at: "/x"),
            "Update openhealth, or choose another store with --store."
        ),
        (
            .writtenByOlderVersion(at: "/x"),
            "Make it writable, or import your newest export into another store."
        ),
        (.damagedValue(at: "sample.value"), "Check it with: openhealth check"),
        (.missingRow(at: "route, row 1"), "Check it with: openhealth check"),
        (.damagedSegments, "Rebuild it with: openhealth check --rebuild"),
        (
            .damagedFile(at: "/x", detail: "page 2"),
            "Move it to another folder and import your newest export again."
        ),
        (.busy(file: "x"), "Try again when that has finished."),
        (.importRunning(into: "/x"), "Try again when that has finished."),
        (.storeAppeared(at: "/x"), "Try again."),
        (.diskFull(file: "x"), "Free some space and try again."),
        (.fileFailed(.write, at: "/x", .diskFull), "Free some space and try again."),
        (
            .fileFailed(.write, at: "/x", .sizeLimit(bytes: 8192)),
            "Raise the limit (ulimit -f) and try again."
        ),
        (.sqliteTooOld(version: "3.7"), "Update SQLite."),
        (
            .unusable(at: "/x", detail: "out of memory", resultCode: 7),
            "Check it with: openhealth check"
        ),
    ]

    static let wrongArguments: [(StoreError.Reason, String)] = [
        (.unknownType("x"), "For a list of types, run `openhealth types`."),
        (
            .unknownSource("x", known: ["y"], count: 2),
            "For a list of sources, run `openhealth sources`."
        ),
        (
            .ambiguousSource("x", identifiers: ["com.example.x", "com.example.y"]),
            "Use one of these identifiers."
        ),
        (
            .invalidBundleIdentifier("x y"),
            "Use one without spaces, for example com.example.app."
        ),
        (.unknownTimeZone("Mars"), "Use an IANA name such as Europe/Berlin."),
        (.noStatistics(type: "x"), "List its samples with: openhealth samples x"),
        (.notSummed(type: "x"), "List its samples with: openhealth samples x"),
        (.nothingToMerge(type: "x"), "Omit --merged to see its samples."),
        (.noDefaultUnit(type: "x"), "Choose one with --unit."),
        (
            .tooManySources(65, limit: 64),
            "Exclude some with openhealth sources exclude, or choose days with fewer sources."
        ),
        (.fileExists(at: "/x"), "Choose another name, or overwrite it with --force."),
        (.folderExists(at: "/x"), "Name a file in it."),
        (.specialFileExists(at: "/x"), "Choose another name."),
        (.storeExists(at: "/x", isMainFile: true), "Choose another name."),
    ]

    @Test(
        "an error of the store is followed by the command or option that helps",
        arguments: files)
    func adviceForFiles(reason: StoreError.Reason, advice: String) {
        #expect(StoreError(reason).sentence == "\(reason) \(advice)")
    }

    @Test(
        "an error in the arguments is followed by what to give instead",
        arguments: wrongArguments)
    func adviceForArguments(reason: StoreError.Reason, advice: String) {
        #expect(StoreError(reason).sentence == "\(reason) \(advice)")
    }

    @Test("a link without a target may lead to a disk that is missing")
    func danglingLink() {
        let sentence = StoreError(.danglingLink(at: "/x", to: "/y")).sentence
        #expect(sentence.hasPrefix("/x is a link to /y, which does not exist. Restore that file"))
        #expect(sentence.hasSuffix("or choose another store with --store."))
    }

    @Test("a schema that was changed is not used, and the sentence says why")
    func alteredSchema() {
        let sentence = StoreError(.alteredSchema(in: "x", difference: "table y was added")).sentence
        #expect(sentence.hasPrefix("The schema of x was changed by another program: the table y"))
        #expect(sentence.contains("additions could run") && sentence.contains("openhealth check"))
    }

    @Test("an error without a remedy stands alone")
    func alone() {
        for reason in [
            StoreError.Reason.cancelled, .closed, .repeatedSource(["x", "x"]),
            .unknownSource("x", known: ["y"], count: 1), .fileFailed(.move, at: "/x", .tooLarge),
        ] {
            #expect(StoreError(reason).sentence == reason.description)
        }
    }

    @Test("an archive that can't be written says how to raise the limit")
    func archive() {
        let error = ArchiveError(.unwritable(reason: .sizeLimit(bytes: 8192)), in: "x.zip")
        #expect(
            error.sentence == "x.zip: could not be written: the file size limit is 8 KB. "
                + "Raise the limit (ulimit -f) and try again.")
        let truncated = ArchiveError(.truncatedData, in: "x.zip", at: 9)
        #expect(truncated.sentence == truncated.description)
    }

    @Test("the pages name no command and no option")
    func pages() {
        for reason in [
            StoreError.Reason.unknownType("x"), .unknownSource("x", known: ["y"], count: 2),
            .ambiguousSource("x", identifiers: ["y", "z"]), .notSummed(type: "x"),
            .tooManySources(65, limit: 64),
        ] {
            let advice = reason.pageAdvice ?? ""
            #expect(advice.hasSuffix(".") && !advice.contains("openhealth"))
            #expect(!advice.contains("--"))
        }
    }
}
